# Forks in a call, so that two processes hold the channel and both go on answering.
import os


def ENTRY(*args, **kwargs):
    child = os.fork()
    return 3 if child else 0
