"""Ways to values in a document, and how they are written."""

Path_ = tuple[str | int, ...]
"""The way to a value from the document's root: keys and list indices."""


def dotted(path: Path_) -> str:
    """``groups.workers.access[0].policy``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text
