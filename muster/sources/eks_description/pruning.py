"""Takes out what the description's schema refuses, so that the result is valid."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.finding import parse_dotted_path
from muster.sources.eks_description.parts import Described, LeftOutPart

_ROUNDS = 40


def pruned(described: Described, region: str) -> Described:
    """The description without keys that the schema refuses: each is listed with the reason. Required keys stay."""
    del region
    cluster, left = deepcopy(described.cluster), list(described.left_out)
    for _ in range(_ROUNDS):
        _, faults = validate(model_of(cluster), cluster)
        removed = False
        for _, finding in faults:
            path = list(parse_dotted_path(finding.where))
            if _remove(cluster, path):
                left.append(LeftOutPart("", finding.where, f"{finding.got}; {finding.remedy}"))
                removed = True
                break
        if not removed:
            break
    return replace(described, cluster=cluster, left_out=tuple(left))


_REQUIRED = {("groups",), ("network",), ("kubernetes",), ("control-plane",), ("backend",)}


def _remove(cluster: dict[str, Any], path: list[Any]) -> bool:
    """Removes the value at a path; False for a required key, or one that is not there."""
    if not path or (len(path) == 1 and tuple(path) in _REQUIRED):
        return False
    held: Any = cluster
    for step in path[:-1]:
        in_list = isinstance(held, list) and isinstance(step, int) and step < len(held)
        if in_list or (isinstance(held, Mapping) and step in held):
            held = held[step]
        else:
            return False
    if isinstance(held, list) and isinstance(path[-1], int) and path[-1] < len(held):
        del held[path[-1]]
        return True
    if isinstance(held, dict) and path[-1] in held and path[-1] not in ("for", "instance", "nodes"):
        del held[path[-1]]
        return True
    return False
