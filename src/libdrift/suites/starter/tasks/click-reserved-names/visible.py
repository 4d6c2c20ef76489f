assert sorted(build_cli([]).commands) == ["import", "list"]
