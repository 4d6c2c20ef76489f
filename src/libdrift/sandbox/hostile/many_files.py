# Opens and makes files without end.
import os
import tempfile

held = []
folder = tempfile.mkdtemp()
try:
    while True:
        held.append(open(os.path.join(folder, str(len(held))), "w"))
except OSError:
    pass

def ENTRY(*args, **kwargs):
    return None
