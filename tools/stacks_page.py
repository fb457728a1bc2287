"""`docs/reference/stacks.md`: the example stacks, each with the first lines of its file."""

import re
from collections.abc import Iterator
from pathlib import Path

from muster.config.project import open_stack, stack_file, stacks

ROOT = Path(__file__).resolve().parent.parent
_HEAD = """\
# Stacks

Generated from the stack files. There is one stack for each cluster that AWS's documents and examples describe. Copy the
stack that is closest to your cluster, or let `muster init` write a file ([Describe a new
cluster](../how-to/new-stack.md)). The comment at the top of each file names the document that the stack follows, and
what is outdated in that document. `stacks/facts/` contains the facts that the examples assume about an account.

| stack | backend | instances | summary |
|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    return _HEAD + "\n".join(map(_row, stacks(ROOT))) + "\n"


def _row(stack: str) -> str:
    file = stack_file(ROOT, stack)
    blueprint = open_stack(ROOT, stack).derive()
    types = dict.fromkeys(group.node.hardware.instance for group in blueprint.groups)
    link = f"[{stack}](../../{file.relative_to(ROOT)})"
    return f"| {link} | {blueprint.backend} | {', '.join(types)} | {_summary(file.read_text(encoding='utf-8'))} |"


def _summary(text: str) -> str:
    """The first sentence of the comment at the top of a stack file."""
    lines = list(_head(text))
    sentence = re.split(r"(?<=[A-Za-z0-9)])\.(?: |$)", " ".join(lines), maxsplit=1)[0]
    return sentence.replace("|", "\\|") + "."


def _head(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.startswith("# yaml-language-server"):
            continue
        if not line.startswith("#"):
            return
        yield line.removeprefix("#").strip()
