# Prints without end.
import os

while True:
    os.write(1, b"all tests passed\n" * 1000)
