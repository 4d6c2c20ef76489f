# Returns mappings whose keys all have the same hash, which take hours to put together again.
PRIME = (1 << 61) - 1


def ENTRY(*args, **kwargs):
    return {number * PRIME: number for number in range(6000)}
