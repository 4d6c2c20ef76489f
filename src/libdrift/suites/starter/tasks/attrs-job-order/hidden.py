import warnings

import attr
import pytest
from answer import make_job_class


@pytest.fixture
def job_class():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield make_job_class()


def test_shape(job_class):
    assert attr.has(job_class)
    assert job_class.__name__ == "Job"
    assert [field.name for field in attr.fields(job_class)] == ["priority", "label"]


def test_label_does_not_count(job_class):
    assert job_class(3, "x") == job_class(3, "y")
    assert job_class(3, "x") != job_class(4, "x")
    assert not job_class(3, "a") < job_class(3, "b")
    assert job_class(3, "a") >= job_class(3, "b")


def test_sorting_is_stable(job_class):
    jobs = [job_class(2, "c"), job_class(1, "b"), job_class(2, "a"), job_class(0, "z")]
    assert [job.label for job in sorted(jobs)] == ["z", "b", "c", "a"]
