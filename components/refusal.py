"""The words in which a component refuses its arguments, before it registers anything."""

from collections.abc import Iterable, Mapping

from pulumi.errors import InputPropertyErrorDetails

from muster.fleet.dotted import path_of
from muster.fleet.finding import Finding


class Refused(Exception):
    """The description that arguments come to is refused: each finding with its argument."""

    def __init__(self, component: str, findings: Iterable[Finding], arguments: Mapping[str, str]) -> None:
        told = [(argument_of(each.where, arguments), each) for each in sorted(findings)]
        count = "1 finding" if len(told) == 1 else f"{len(told)} findings"
        self.details = [
            InputPropertyErrorDetails(property_path=place, reason=f"{each.rule}: {each.got}\n  -> {each.remedy}")
            for place, each in told
        ]
        lines = [f"{place}: {each.rule}: {each.got}\n  -> {each.remedy}" for place, each in told]
        head = f"Muster refuses what {component} is given ({count}); nothing was registered."
        super().__init__("\n".join([head, *lines]))


def argument_of(where: str, arguments: Mapping[str, str]) -> str:
    """The argument that a place of the description comes from; the nearest above it, and what is missing below."""
    path = where
    below: list[str] = []
    while path and path not in arguments:
        steps = path_of(path)
        last = str(steps[-1])
        below.insert(0, last)
        path = path[: -len(last)].rstrip(".[]") if path.endswith(last) else path.rpartition("[")[0]
    found = arguments.get(path, "")
    return ".".join(filter(None, (found, *(_camel(each) for each in below)))) or "args"


def _camel(key: str) -> str:
    first, *others = key.split("-")
    return first + "".join(each[:1].upper() + each[1:] for each in others)
