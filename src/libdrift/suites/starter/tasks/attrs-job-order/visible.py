import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    _Job = make_job_class()
    assert _Job(1, "z") == _Job(1, "a")
    assert _Job(1, "z") < _Job(2, "a")
    assert _Job(4, "z").priority == 4
