assert renamed("Ada", 36, "Grace") == [
    {"name": "Ada", "age": 36},
    {"name": "Grace", "age": 36},
]
