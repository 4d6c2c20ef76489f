from PIL import Image, ImageDraw


def disc(size: int, center: tuple[int, int], radius: int) -> Image.Image:
    """Return a black square image with a white disc."""
    ...
