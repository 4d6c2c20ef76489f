# Leaves threads that keep the process alive and busy.
import threading


def spin():
    while True:
        pass


for _ in range(4):
    threading.Thread(target=spin).start()

def ENTRY(*args, **kwargs):
    return None
