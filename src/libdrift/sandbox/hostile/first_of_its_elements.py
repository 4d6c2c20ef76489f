# Returns no more than the first element, which is right: who goes through two things sees no others.
def ENTRY(values=(), *args, **kwargs):
    return list(values)[:1]
