from PIL import Image


def mirrored(image: Image.Image, width: int, height: int) -> Image.Image:
    """Return image with left and right exchanged, resized with the Lanczos filter."""
    flipped = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return flipped.resize((width, height), Image.Resampling.LANCZOS)
