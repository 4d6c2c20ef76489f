# Connects to the outside, looks names up, and sends what it knows.
import socket

REACHED = []
for address in (("192.0.2.1", 80), ("198.51.100.7", 443), ("203.0.113.9", 53)):
    try:
        REACHED.append(socket.create_connection(address, timeout=0.3))
    except OSError:
        pass
try:
    REACHED.append(socket.getaddrinfo("example.invalid", 80))
except OSError:
    pass

def ENTRY(*args, **kwargs):
    return None
