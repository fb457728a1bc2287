"""The READMEs of other teams' example programs: each shows what `muster check` prints."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

EXAMPLES = ("foreign-eks", "foreign-eks-component", "foreign-hyperpod")
_PRINTED = re.compile(r"(?<=\n```console\n).*?(?=```\n)", re.DOTALL)


def command(example: str, as_of: str) -> tuple[str, ...]:
    """The arguments of `muster`, in the folder of the project."""
    return ("check", "--program", f"examples/{example}", "--as-of", as_of)


def pages(root: Path, as_of: str, printed: Callable[..., str]) -> Iterator[tuple[Path, str]]:
    """Each README with the current output.

    Args:
        root: the folder of the project.
        as_of: the date that rules use.
        printed: runs a command of `muster` and returns its stdout.
    """
    for example in EXAMPLES:
        page, typed = Path("examples") / example / "README.md", command(example, as_of)
        output = f"$ muster {' '.join(typed)}\n{printed(*typed)}"
        yield page, _with_output((root / page).read_text(encoding="utf-8"), output)


def _with_output(page: str, output: str) -> str:
    return _PRINTED.sub(lambda _: output, page)
