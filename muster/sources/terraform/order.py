"""What Terraform creates before a resource."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.sources.terraform.configuration import Configuration, Names, names_of, references
from muster.sources.terraform.document import Document, Instance, split_module, split_name

_ALL = "*"
"""In place of a type: every resource of a module and of the modules below it, without those of one call."""

Node = tuple[Names, str, str]
"""A resource in the code: the module, its type and its name."""


def created_before(resource: Instance, document: Document, configuration: Configuration) -> frozenset[str]:
    """The addresses of what a resource depends on, directly or not. If the plan does not say all of it (it has no local
    values), it may be anything else of the plan."""
    nodes: dict[Node, list[str]] = {}
    for each in document.resources:
        nodes.setdefault((names_of(each.module), each.type, each.name), []).append(each.address)
    own = (names_of(resource.module), resource.type, resource.name)
    if not document.is_plan or not configuration.is_there:
        if not document.is_plan:
            return frozenset(_of_state(resource, nodes))
        return frozenset(each.address for each in document.resources if each.address != resource.address)
    found: set[Node] = set()
    followed: set[Node] = set()
    waiting = [own]
    while waiting:
        for node in _direct(waiting.pop(), configuration):
            if node not in followed:
                followed.add(node)
                fresh = [one for one in _meant(node, nodes) if one not in found and one != own]
                found.update(fresh)
                waiting += fresh
    return frozenset(address for node in found if node != own for address in nodes[node])


def _meant(node: Node, nodes: Mapping[Node, list[str]]) -> Iterator[Node]:
    """The resources of the plan that a node stands for."""
    names, type_, without = node
    if type_ != _ALL:
        yield from [node] if node in nodes else []
        return
    deep = len(names)
    for each in nodes:
        if each[0][:deep] == names and not (without and each[0][deep : deep + 1] == (without,)):
            yield each


def _of_state(resource: Instance, nodes: Mapping[Node, list[str]]) -> Iterator[str]:
    """A state has a list of everything that a resource depends on, each without a key."""
    for each in resource.depends_on:
        steps, rest = split_module(each)
        type_, _, name = rest.partition(".")
        yield from nodes.get((tuple(step.name for step in steps), type_, split_name(name)[0]), ())


def _direct(node: Node, configuration: Configuration) -> Iterator[Node]:
    """What a resource's code names, and what the calls around it depend on."""
    names, type_, name = node
    block = configuration.code_of(names, type_, name)
    yield from _named([*references(dict(block)), *_listed(block.get("depends_on"))], names)
    for length in range(1, len(names) + 1):
        call = configuration.call_of(names[:length])
        listed = [*references([call.get("expressions"), call.get("for_each_expression"), call.get("count_expression")])]
        yield from _named([*listed, *_listed(call.get("depends_on"))], names[: length - 1], names[:length])


def _named(listed: list[str], names: Names, inside: Names = ()) -> Iterator[Node]:
    for each in listed:
        head, _, rest = each.partition(".")
        if head == "module":
            below = (*names, split_name(rest)[0])
            if below != inside:
                yield below, _ALL, ""
        elif head == "local":
            # A local value may name anything in its module. A module's inputs cannot depend on its own resources.
            yield names, _ALL, inside[-1] if inside else ""
        elif head not in ("var", "each", "count", "path", "terraform", "self", "data", ""):
            yield names, head, split_name(rest)[0]


def _listed(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
