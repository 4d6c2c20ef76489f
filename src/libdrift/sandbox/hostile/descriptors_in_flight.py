# Sends its own descriptors over every socket that it has, and ends: whoever waits for them to close waits on.
import os
import socket
import stat


def send_all():
    numbers = [number for number in range(256) if _is_open(number)]
    for number in numbers:
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            continue
        line = socket.socket(fileno=os.dup(number))
        line.settimeout(0.1)
        for kept in numbers:
            try:
                socket.send_fds(line, [b"\x00"], [kept])
            except OSError:
                break


def _is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def ENTRY(*args, **kwargs):
    send_all()
    os._exit(0)
