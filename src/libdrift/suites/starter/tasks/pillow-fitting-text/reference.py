from PIL import ImageDraw


def fits(draw: ImageDraw.ImageDraw, text: str, font, max_width: int) -> bool:
    """Tell whether the line of text is at most max_width pixels wide."""
    return draw.textlength(text, font=font) <= max_width
