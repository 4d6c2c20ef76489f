import ast
import inspect
import warnings
from importlib import metadata

import answer
import pytest
from answer import make_app


@pytest.mark.parametrize("service", ["billing", "search engine"])
def test_answer_without_warnings(service):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        app = make_app(service)
        app.testing = True
        response = app.test_client().get("/about")
    assert response.status_code == 200
    assert response.is_json
    assert response.get_json() == {"service": service, "flask": metadata.version("flask")}


def test_version_is_not_written_into_the_code():
    tree = ast.parse(inspect.getsource(answer))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert metadata.version("flask") not in texts


def test_other_routes_are_absent():
    assert make_app("x").test_client().get("/").status_code == 404
