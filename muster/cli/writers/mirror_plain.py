"""What to copy, a line each, with tabs in it: what, from where, to where, digest, for whom. Remarks begin with #."""

from collections.abc import Iterator

from addons.mirror import Copy, List
from muster.cli.terminal import one_line

NOBODY_SAID = "-"
UNKNOWN = "unknown"


def write(stack: str, found: List) -> str:
    """All of it."""
    return "".join(f"{line}\n" for line in _lines(stack, found))


def _lines(stack: str, found: List) -> Iterator[str]:
    yield f"# {one_line(stack)}: what, from where, to where, digest, for whom"
    for each in found.copies:
        told = (each.what.value, source(each), each.destination or NOBODY_SAID, each.digest or UNKNOWN)
        yield "\t".join(one_line(field) for field in (*told, ", ".join(each.users)))
    for remark in remarks(found):
        yield f"# {remark}"


def source(each: Copy) -> str:
    """Where it is, in words."""
    if each.of_index:
        return f"{each.name} {each.version} of {each.source}"
    return f"{each.source}:{tag(each)}" if each.version else each.source


def tag(each: Copy) -> str:
    """A chart's version as registries have it: a tag holds no plus (Helm, "Use OCI-based registries")."""
    return (each.version or "").replace("+", "_")


def remarks(found: List) -> Iterator[str]:
    """What is needed beside it, and what nobody knows."""
    for each in found.fetched:
        what = f"the {each.kind} of {each.addon}: {each.address}"
        yield one_line(f"not copied: {what}. The machine that deploys reads it; the cluster needs its images only")
    own = f": {', '.join(found.eks)}, and EKS's own" if found.eks else ""
    yield f"not copied: images of EKS add-ons{own}. EKS takes them from its registry in the cluster's Region"
    for unknown in found.unknown:
        yield one_line(f"unknown: {unknown.addon}: {unknown.why}; --charts lists what its chart names")
