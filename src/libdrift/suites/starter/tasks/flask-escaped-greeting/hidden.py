import pytest
from answer import make_app


@pytest.fixture
def client():
    app = make_app()
    app.testing = True
    return app.test_client()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Grace", "Grace"),
        ("Tom & Jerry", "Tom &amp; Jerry"),
        ("<script>1</script>", "&lt;script&gt;1&lt;/script&gt;"),
        ('"Bo"', "&#34;Bo&#34;"),
    ],
)
def test_name_is_escaped(client, name, shown):
    response = client.get("/hello", query_string={"name": name})
    assert response.status_code == 200
    assert response.get_data(as_text=True) == f"<p>Hello, {shown}!</p>"


def test_name_is_optional(client):
    assert client.get("/hello").get_data(as_text=True) == "<p>Hello, stranger!</p>"


def test_other_routes_are_absent(client):
    assert client.get("/").status_code == 404
