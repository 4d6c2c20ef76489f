from PIL import Image, ImageDraw


def disc(size: int, center: tuple[int, int], radius: int) -> Image.Image:
    """Return a black square image with a white disc."""
    image = Image.new("L", (size, size), 0)
    x, y = center
    box = (x - radius, y - radius, x + radius, y + radius)
    ImageDraw.Draw(image).ellipse(box, fill=255)
    return image
