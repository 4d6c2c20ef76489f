"""From history and from repositories to new tasks."""
