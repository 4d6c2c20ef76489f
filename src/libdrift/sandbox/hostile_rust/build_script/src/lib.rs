// Nothing: what it does, it does when it is built.
