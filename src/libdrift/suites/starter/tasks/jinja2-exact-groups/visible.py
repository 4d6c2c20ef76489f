_entries = [
    {"tag": "go", "name": "stone"},
    {"tag": "Go", "name": "gopher"},
    {"tag": "go", "name": "board"},
]
assert render_groups(_entries) == "Go: gopher\ngo: stone, board"
