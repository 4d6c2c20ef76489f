"""Version-exact documentation search, for models that write code for one release of a library."""
