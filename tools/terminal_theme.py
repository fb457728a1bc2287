"""The colors of the terminals in the documentation. Each has a contrast of at least 4.5 to the background."""

from rich.terminal_theme import TerminalTheme

THEME = TerminalTheme(
    (23, 27, 36),
    (222, 226, 234),
    [
        (23, 27, 36),
        (255, 123, 114),
        (126, 211, 133),
        (240, 184, 90),
        (121, 174, 255),
        (210, 168, 255),
        (118, 216, 224),
        (200, 205, 214),
    ],
    [
        (150, 158, 172),
        (255, 160, 152),
        (160, 232, 165),
        (255, 211, 130),
        (165, 200, 255),
        (226, 195, 255),
        (160, 236, 242),
        (255, 255, 255),
    ],
)
