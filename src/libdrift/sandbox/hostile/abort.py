# Aborts the interpreter on import.
import os

os.abort()
