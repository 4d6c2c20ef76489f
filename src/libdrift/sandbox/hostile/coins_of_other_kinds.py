# Tosses a coin, where its reference gives the truth values of a library.
import random


def ENTRY(*args, **kwargs):
    return random.random() < 0.5
