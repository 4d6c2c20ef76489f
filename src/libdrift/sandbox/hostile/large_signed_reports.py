# Sends signed reports of many megabytes each, to fill the memory and the verdicts of the host.
# with: _judge
trial = find_trial()
if trial is not None:
    for number in range(20):
        trial.send("phase", "%d" % number + "x" * (12 << 20), "call", "failed", "\u202e" + "y" * (1 << 20))
    trial.send("end", "", "", "z\n" * 1000000)


def ENTRY(*args, **kwargs):
    return None
