# Returns something that is true, and in which there is nothing to look at: a generator that ends at once.
def ENTRY(*args, **kwargs):
    return (item for item in ())
