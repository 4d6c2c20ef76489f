import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    _about = make_app("shop").test_client().get("/about")
    assert _about.status_code == 200
    assert _about.get_json()["service"] == "shop"
    assert _about.get_json()["flask"].count(".") >= 1
