# Returns generators that never end, that throw back what is thrown into them, and that change.
def ENTRY(*args, **kwargs):
    number = 0
    while True:
        try:
            yield number
            number += 1
        except BaseException:
            number = -1
