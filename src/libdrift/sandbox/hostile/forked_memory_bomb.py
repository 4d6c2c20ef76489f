# Takes memory in many processes at once.
import os
import time

for _ in range(6):
    os.fork()
hoard = []
try:
    while True:
        hoard.append(b"x" * (16 << 20))
except MemoryError:
    time.sleep(1000)
