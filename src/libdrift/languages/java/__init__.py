"""Java: the JDKs of this machine, surfaces from class files, artifacts from Maven repositories."""
