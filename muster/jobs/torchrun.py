"""The number of nodes that a container's torchrun waits for: its `--nnodes`.

PyTorch's documentation, "torchrun (Elastic Launch)": ``--nnodes=$NUM_NODES`` is a job of a fixed size, which starts
when all nodes have joined, and ``--nnodes=MIN_SIZE:MAX_SIZE`` is an elastic job
(https://docs.pytorch.org/docs/stable/elastic/run.html). The option overrides `PET_NNODES`, which the training operator
sets.
"""

import re
from collections.abc import Iterator

from muster.jobs.manifest import Field
from muster.whole_number import whole_number

NNODES = re.compile(r"(?<![\w-])--nnodes(?:=|\s+)[\"']?(?P<written>[^\s\"'\\;&|]+)")
_VARIABLE = re.compile(r"\$\{?(?P<plain>[A-Za-z_][A-Za-z0-9_]*)\}?|\$\((?P<bracketed>[A-Za-z_][A-Za-z0-9_]*)\)")
_RANGE = re.compile(r"(?P<least>[0-9]{1,6})(?::(?P<most>[0-9]{1,6}))?")


def read_nnodes(container: Field) -> str:
    """The value of `--nnodes`, with variables from the container's environment replaced; empty if it is not given."""
    words = [each for key in ("command", "args") for each in _arguments(container.at(key))]
    lines = (line for word in words for line in word.splitlines())
    found = NNODES.search(" ".join(line for line in lines if not line.lstrip().startswith("#")))
    if found is None:
        return ""
    known = {
        each.at("name").value: each.at("value").value
        for each in container.at("env").entries()
        if isinstance(each.value, dict) and isinstance(each.value.get("value"), str)
    }
    return _VARIABLE.sub(lambda each: known.get(each["plain"] or each["bracketed"], each.group()), found["written"])


def min_nnodes(nnodes: str) -> int | None:
    """The number of nodes that torchrun needs to start: MIN of ``MIN:MAX``; None if the text has no number."""
    found = _RANGE.fullmatch(nnodes)
    return whole_number(found["least"]) if found else None


def _arguments(listed: Field) -> Iterator[str]:
    if isinstance(listed.value, list | tuple):
        yield from (each for each in listed.value if isinstance(each, str))
