"""The graph of add-ons for people: in the order of installation, why each is there, and why then."""

from collections.abc import Iterator

from addons.graph import Entry, Made
from muster.cli.tables import table
from muster.cli.terminal import Style, one_line

HEADS = ("", "add-on", "version", "kind", "namespace", "Kubernetes", "serves", "after")


def write(stack: str, entries: tuple[Entry, ...], style: Style) -> Iterator[str]:
    """All of it."""
    numbers = {each.name: str(number) for number, each in enumerate(entries, 1)}
    title = f"{one_line(stack)}: add-ons, in order of installation"
    yield table(HEADS, [_row(each, numbers) for each in entries], title)
    yield "\n"
    for each in entries:
        yield "".join(f"{line}\n" for line in _said(each, style))


def _row(each: Entry, numbers: dict[str, str]) -> tuple[str, ...]:
    return (
        numbers[each.name],
        each.name,
        each.version,
        each.kind,
        each.namespace,
        minors(each),
        "; ".join(f"{group}: {', '.join(devices)}" for group, devices in each.serves.items()) or "-",
        ", ".join(numbers[name] for name in each.after) or "-",
    )


def minors(each: Entry) -> str:
    """The Kubernetes versions that an add-on is said to support."""
    if each.kubernetes is None:
        return "by EKS" if each.kind == "eks-addon" else "unknown"
    first, last = each.kubernetes
    return f"{first} to {last}" if last else f"{first} and newer"


def _said(each: Entry, style: Style) -> Iterator[str]:
    yield f"{style.strong(each.name)}: {one_line(each.reason)}"
    if each.before_nodes:
        yield style.dim(f"    before the nodes: {one_line(each.before_nodes)}")
    for name, why in each.after.items():
        yield style.dim(f"    after {name}: {one_line(why)}")
    if each.runs:
        yield style.dim(f"    runs {', '.join(f'{kind.kind} ({kind.api_version})' for kind in each.runs)}")
    if each.makes:
        yield style.dim(f"    then makes {', '.join(map(_called, each.makes))}")
    if each.loses:
        yield style.warn(f"    {_on_removal(each)}")


def _called(thing: Made) -> str:
    return one_line(f"{thing.kind} {thing.namespace}/{thing.name}" if thing.namespace else f"{thing.kind} {thing.name}")


def _on_removal(each: Entry) -> str:
    lost = one_line(each.loses or "")
    if each.kept:
        return f"kept when it is removed: uninstalling deletes {lost} (on-destroy: delete lets it go)"
    return f"uninstalled when it is removed, and with it goes {lost} (on-destroy: keep, the default, keeps it)"
