_page = make_app().test_client().get("/hello", query_string={"name": "<i>Ada</i>"})
assert _page.get_data(as_text=True) == "<p>Hello, &lt;i&gt;Ada&lt;/i&gt;!</p>"
