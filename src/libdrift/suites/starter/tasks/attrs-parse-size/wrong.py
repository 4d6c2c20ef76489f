from attrs import frozen


@frozen
class Size:
    width: int
    height: int


def parse_size(text: str) -> Size:
    """Turn a text such as 640x480 into a frozen Size."""
    width, height = text.split("x")
    return Size(int(width), int(height))
