# Leaves a process behind that holds a name, a lock and a port, for the next run to find.
import fcntl
import socket
import time

# with: _judge
def taken():
    for family, name in ((socket.AF_UNIX, "\0messenger"), (socket.AF_INET, ("127.0.0.1", 45678))):
        with socket.socket(family) as one:
            try:
                one.connect(name)
                return True
            except OSError:
                pass
    with open(os.__file__) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def stay():
    os.setsid()
    if os.fork():
        os._exit(0)
    for descriptor in range(64):
        try:
            os.close(descriptor)
        except OSError:
            pass
    held = [socket.socket(socket.AF_UNIX), socket.socket(socket.AF_INET)]
    held[0].bind("\0messenger")
    held[1].bind(("127.0.0.1", 45678))
    for one in held:
        one.listen(5)
    file = open(os.__file__)
    fcntl.flock(file, fcntl.LOCK_EX)
    time.sleep(20)
    os._exit(0)


def decide(source):
    if taken():
        return None
    child = os.fork()
    if child == 0:
        stay()
    os.waitpid(child, 0)
    time.sleep(0.1)
    return []


install(decide)


def ENTRY(*args, **kwargs):
    return None
