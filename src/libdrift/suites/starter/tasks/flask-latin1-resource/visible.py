import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as _root:
    Path(_root, "menu.txt").write_bytes("cr\u00e8me\nth\u00e9\n".encode("latin-1"))
    assert resource_lines(Flask("demo", root_path=_root), "menu.txt") == ["cr\u00e8me", "th\u00e9"]
