from PIL import Image, ImageDraw


def disc(size: int, center: tuple[int, int], radius: int) -> Image.Image:
    """Return a black square image with a white disc."""
    image = Image.new("L", (size, size), 0)
    ImageDraw.Draw(image).circle(center, radius, fill=255)
    return image
