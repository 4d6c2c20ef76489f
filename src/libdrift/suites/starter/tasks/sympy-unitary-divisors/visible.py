import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    assert unitary_sigma(12) == 1 + 3 + 4 + 12
