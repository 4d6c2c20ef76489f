# Returns containers that contain themselves, to keep whoever walks or compares them for ever.
def ENTRY(*args, **kwargs):
    inner = {}
    value = [inner, 3]
    inner["self"] = value
    value.append(value)
    return value
