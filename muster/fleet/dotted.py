"""Ways to values in a document, and how they are written."""

Path_ = tuple[str | int, ...]
"""The way to a value from the document's root: keys and list indices."""


def dotted(path: Path_) -> str:
    """``groups.workers.access[0].policy``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def path_of(where: str) -> Path_:
    """The path that a dotted place names: ``access[0].policy`` -> ("access", 0, "policy"). Keys with dots cannot be
    told apart from steps; the nearest block that exists is found all the same."""
    steps: list[str | int] = []
    for part in where.split(".") if where else ():
        name, *indices = part.replace("]", "").split("[")
        steps += [name, *(int(index) for index in indices)]
    return tuple(steps)
