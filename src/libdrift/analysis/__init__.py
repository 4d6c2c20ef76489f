"""Breakdowns of what was scored."""
