"""Checks and migrates code for the versions it is to run with."""
