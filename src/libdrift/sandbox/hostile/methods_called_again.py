# Calls the callables that it was given again and again, inside each other and after it has returned.
import threading
import time


def ENTRY(*args, **kwargs):
    given = [arg for arg in args if callable(arg)]

    def again():
        time.sleep(0.05)
        for function in given:
            try:
                function(again)
            except BaseException:
                pass

    threading.Thread(target=again, daemon=True).start()
    found = []
    for function in given:
        for values in args:
            if isinstance(values, (list, tuple)):
                for value in values:
                    try:
                        found.append(function(function(value)))
                    except BaseException:
                        found.append(value)
    return found
