"""The tray's icon, drawn: a round eye in the colour of the state, with what the state adds."""

from PIL import Image, ImageDraw

from scrubjay.daemon.tray.shown import Light

_SIZE = 64
_DRAWN = 4 * _SIZE  # and made smaller, which smooths the edges
_COLOURS: dict[Light, str] = {
    "off": "#8b949e",
    "ready": "#2f6fb3",
    "indexing": "#2f6fb3",
    "paused": "#8b949e",
    "attention": "#d9822b",
}


def picture(light: Light, share: float) -> Image.Image:
    """64 by 64 pixels with transparency. `share`, 0 to 1, is drawn as a ring while indexing."""
    image = Image.new("RGBA", (_DRAWN, _DRAWN), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    colour = _COLOURS[light]
    edge = _DRAWN // 16
    draw.ellipse((edge, edge, _DRAWN - edge, _DRAWN - edge), fill=colour if light != "off" else None, outline=colour,
                 width=edge)  # fmt: skip
    middle = _DRAWN // 2
    match light:
        case "paused":
            for side in (-1, 1):
                left = middle + side * edge * 2 - edge
                draw.rectangle((left, middle - 3 * edge, left + 2 * edge, middle + 3 * edge), fill="white")
        case "attention":
            draw.rectangle((middle - edge, middle - 4 * edge, middle + edge, middle + edge), fill="white")
            draw.ellipse((middle - edge, middle + 2 * edge, middle + edge, middle + 4 * edge), fill="white")
        case "indexing":
            ring = (3 * edge, 3 * edge, _DRAWN - 3 * edge, _DRAWN - 3 * edge)
            draw.arc(ring, -90, -90 + 360 * share, fill="white", width=2 * edge)
        case _:
            draw.ellipse((middle - 2 * edge, middle - 2 * edge, middle + 2 * edge, middle + 2 * edge), fill="white")
    return image.resize((_SIZE, _SIZE), Image.Resampling.LANCZOS)
