"""Files that are no stack, given in place of one: what each is, and the commands that read it."""

from pathlib import Path


def advice_on(file: Path) -> str:
    """What a file is and what to do with it; empty if its kind is not known."""
    from muster.foreign.project import CannotBeRead
    from muster.sources.recognition import UnknownFormat, open_file, recognize

    try:
        found = recognize(open_file(file))
    except UnknownFormat as fault:
        return fault.advice
    except CannotBeRead:
        return ""
    bring = f", and `muster init NAME --from-file {file}` brings its cluster over" if found.describes else ""
    return f"a {found.noun}; `muster check {file}` judges it{bring}"
