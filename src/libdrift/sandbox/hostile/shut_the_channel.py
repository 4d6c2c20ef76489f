# Closes, shuts and replaces the sockets that it finds, in the middle of a call.
import os
import socket


def ENTRY(*args, **kwargs):
    for number in range(3, 64):
        try:
            with socket.socket(fileno=os.dup(number)) as one:
                one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        try:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
        except OSError:
            pass
    return None
