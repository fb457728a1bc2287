"""The module code as a plan repeats it: which expressions a resource has, and which resources they name.

A plan has no values of `locals` and leaves out `dynamic` blocks (`marshalExpressions` in Terraform's
`internal/command/jsonconfig/expressions.go` ignores what the schema does not have). What these name is
unknown.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.fleet.resources import ref
from muster.secret_texts import mark
from muster.sources.terraform.document import Document, Instance, Key, ModulePath, ModuleStep, split_name
from muster.sources.terraform.types import NAMES

MOST_NAMED = 64
"""Resources that one expression names. References to more are not followed."""
_MOST_REFERENCES = 256
"""References in one argument, and inputs of one call. They are followed for each instance."""
_DEEPEST = 40
"""Module inputs and outputs that are followed, one after the other."""

Names = tuple[str, ...]
"""The names of the calls from the root module to a module, without keys."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The resources that an expression names."""

    addresses: frozenset[str] = frozenset()
    is_complete: bool = True
    """False if it may name others: it has a local value, for example."""
    is_list: bool = True
    """Whether it names each of them, and nothing that could leave one out."""

    @property
    def can_be_unknown(self) -> bool | None:
        """Whether it names a resource; None if references are missing, or if what they name is an input of the module
        that has more in it."""
        if not self.is_complete:
            return None
        return (self.is_list or None) if self.addresses else False

    @property
    def length(self) -> int | None:
        """The number of items of an unknown list: that of the resources that it names, if it names nothing else."""
        certain = self.is_complete and (self.is_list or len(self.addresses) == 1)
        return len(self.addresses) or None if certain else None


@dataclass(frozen=True, slots=True)
class _Named:
    """What expressions name, as the code has it. Read once: a block with many references can have many instances."""

    expressions: Any
    references: tuple[str, ...]
    """Without those that repeat the beginning of another one."""
    by_key: bool
    by_index: bool


_TEMPLATES = ("launchTemplate", "mixedInstancesPolicy")
"""The properties that name a launch template."""
NOTHING = Origin()
UNFOLLOWED = Origin(is_complete=False, is_list=False)


def together(origins: Iterable[Origin]) -> Origin:
    """The resources that several expressions name."""
    listed = list(origins)
    named = frozenset[str]().union(*(each.addresses for each in listed))
    if len(named) > MOST_NAMED:
        return UNFOLLOWED
    return Origin(named, all(each.is_complete for each in listed), all(each.is_list for each in listed))


@dataclass(frozen=True, slots=True)
class Around:
    """Where an expression stands."""

    module: ModulePath
    key: Key = None
    """The key of the resource instance, or of the module instance that has the expression as an input."""
    keyed_by: Any = None
    """The expressions of its `for_each`."""


@dataclass(frozen=True, slots=True)
class Block:
    """The code of one resource."""

    expressions: Mapping[str, Any] = field(default_factory=dict)
    keyed_by: Any = None
    provider: str = ""
    """The key of its provider in `provider_config`."""


class Configuration:
    """The code of all modules, with the instances that the plan has of them."""

    def __init__(self, document: Document) -> None:
        self._variables = document.variables
        self._modules: dict[Names, Mapping[str, Any]] = {}
        self._blocks: dict[tuple[Names, Any, Any], Block] = {}
        self._fill(_part(document.configuration, "root_module"))
        self._instances: dict[tuple[ModulePath, str, str], dict[Key, str]] = {}
        for each in document.resources:
            self._instances.setdefault((each.module, each.type, each.name), {})[each.key] = each.address
        self._read: dict[int, _Named] = {}
        self._unread = {(each.module, each.type, each.name) for each in document.unread}
        self._known: dict[tuple[ModulePath, str, bool], Origin] = {}
        self._waiting: set[tuple[ModulePath, str, bool]] = set()
        self._depth = 0
        self._types = {each.address: NAMES[each.type] for each in document.resources if each.type in NAMES}
        self._templates: dict[ModulePath, list[str]] = {}
        for each in document.resources:
            if self._types.get(each.address) == ref.LAUNCH_TEMPLATE:
                self._templates.setdefault(each.module, []).append(each.address)

    def _fill(self, root: Mapping[str, Any]) -> None:
        waiting: list[tuple[Names, Mapping[str, Any]]] = [((), root)]
        while waiting:
            names, code = waiting.pop()
            self._modules[names] = code
            for each in _items(code, "resources"):
                if each.get("mode") != "data":
                    provider = str(each.get("provider_config_key", ""))
                    made = Block(_part(each, "expressions"), each.get("for_each_expression"), provider)
                    self._blocks[names, str(each.get("type")), str(each.get("name"))] = made
            calls = _part(code, "module_calls")
            waiting += [((*names, str(name)), _part(calls[name], "module")) for name in calls]

    def block(self, resource: Instance) -> Block | None:
        """The code of a resource; None if the plan does not have it."""
        return self._blocks.get((names_of(resource.module), resource.type, resource.name))

    def uses(self, resource: Instance, block: Block, unknown: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """Pulumi's input name -> the addresses of the resources that the input's unknown parts come from.

        Args:
            resource: the resource.
            block: its code.
            unknown: the inputs with unknown parts, each with its expressions; None for those of a `dynamic` block.
        """
        made: dict[str, tuple[str, ...]] = {}
        for name, expressions in unknown.items():
            origin = self.origin(expressions, resource, block)
            named = [each for each in origin.addresses if each in self._types]
            if expressions is None or not origin.is_complete:
                named = self._template_beside(resource) if name in _TEMPLATES else []
            if named:
                made[name] = tuple(sorted(named))
        return made

    def _template_beside(self, resource: Instance) -> list[str]:
        """The only launch template of a group's module instance: a module that makes one makes it for its group. Those
        of terraform-aws-eks name it in a `dynamic` block, which a plan leaves out."""
        listed = self._templates.get(resource.module, [])
        return listed if len(listed) == 1 else []

    def origin(self, expressions: Any, resource: Instance, block: Block) -> Origin:
        """The resources that an argument's expressions name, with those in its blocks."""
        return self._resolve(expressions, Around(resource.module, resource.key, block.keyed_by))

    def constant(self, expression: Any, module: ModulePath = ()) -> Any:
        """The value of an expression that is a constant or a variable with a known value; None for any other."""
        found, sensitive = None, False
        for _ in range(_DEEPEST):
            about = expression if isinstance(expression, Mapping) else {}
            if "constant_value" in about:
                found = about["constant_value"]
                break
            listed = list(references(about))
            if not listed or not listed[0].startswith("var.") or len(_longest(listed)) > 1:
                break
            name = listed[0].removeprefix("var.")
            declared = _part(_part(self._code(module), "variables"), name)
            sensitive |= declared.get("sensitive") is True
            if not module:
                found = self._variables.get(name)
                break
            given = _part(self._call(module), "expressions").get(name)
            if given is None:
                found = declared.get("default")
                break
            expression, module = given, module[:-1]
        return mark(found) if sensitive else found

    def _code(self, module: ModulePath) -> Mapping[str, Any]:
        return self._modules.get(names_of(module), {})

    def _call(self, module: ModulePath) -> Mapping[str, Any]:
        return _part(_part(self._code(module[:-1]), "module_calls"), module[-1].name) if module else {}

    def _around_call(self, module: ModulePath) -> Around:
        keyed_by = self._call(module).get("for_each_expression")
        return Around(module[:-1], module[-1].key if module else None, keyed_by)

    def _named(self, expressions: Any) -> _Named:
        found = self._read.get(id(expressions))
        if found is None:
            listed = list(references(expressions))
            found = _Named(expressions, tuple(_longest(listed)), "each.key" in listed, "count.index" in listed)
            self._read[id(expressions)] = found
        return found

    def _resolve(self, expressions: Any, around: Around) -> Origin:
        named = self._named(expressions)
        if len(named.references) > _MOST_REFERENCES:
            return UNFOLLOWED
        return together(self._one(each, named, around) for each in named.references) if named.references else NOTHING

    def _one(self, reference: str, beside: _Named, around: Around) -> Origin:
        head, _, rest = reference.partition(".")
        if head == "module":
            return self._of_module(rest, around)
        if head == "var":
            return self._of_variable(split_name(rest)[0], around)
        if head == "each":
            own = Around(around.module, around.key)
            found = self._resolve(around.keyed_by, own)
            return Origin(self._with_key(found.addresses, around.key), found.is_complete, is_list=False)
        if head in ("count", "path", "terraform", "self", "data", "local"):
            known = head not in ("data", "local") or (head == "data" and self._is_read(rest, around.module))
            return Origin(is_list=False) if known else UNFOLLOWED
        return self._of_resource(head, rest, beside, around)

    def _is_read(self, data: str, module: ModulePath) -> bool:
        """Whether a data source was read when the plan was made."""
        type_, _, name = data.partition(".")
        return (module, type_, split_name(name)[0]) not in self._unread

    def _of_resource(self, type_: str, rest: str, beside: _Named, around: Around) -> Origin:
        name, key, _ = split_name(rest)
        instances = self._instances.get((around.module, type_, name), {})
        if key is None and len(instances) > 1:
            by_index = beside.by_index and isinstance(around.key, int) and around.key < len(instances)
            if around.key is not None and around.key in instances and (beside.by_key or by_index):
                return Origin(frozenset({instances[around.key]}))
            if len(instances) > MOST_NAMED:
                return UNFOLLOWED
            return Origin(frozenset(instances.values()), is_list=False)
        named = instances.values() if key is None else [instances[key]] if key in instances else ()
        return Origin(frozenset(named))

    def _with_key(self, addresses: frozenset[str], key: Key) -> frozenset[str]:
        """Of several instances, those with a key; all of them if none has it."""
        if len(addresses) < 2:  # noqa: PLR2004
            return addresses
        end = f'["{key}"]'
        return frozenset(each for each in addresses if each.endswith(end)) or addresses

    def _of_module(self, rest: str, around: Around) -> Origin:
        name, key, after = split_name(rest)
        output = split_name(after[1:])[0] if after.startswith(".") else ""
        if not output:
            return UNFOLLOWED
        return self._memorized((*around.module, ModuleStep(name, key)), output, is_output=True)

    def _of_variable(self, name: str, around: Around) -> Origin:
        if not around.module:
            return Origin(is_list=False)
        found = self._memorized(around.module, name, is_output=False)
        return Origin(found.addresses, found.is_complete, found.is_list and len(found.addresses) < 2)  # noqa: PLR2004

    def _memorized(self, module: ModulePath, name: str, *, is_output: bool) -> Origin:
        key = (module, name, is_output)
        if key in self._known:
            return self._known[key]
        if key in self._waiting or self._depth >= _DEEPEST:
            return UNFOLLOWED
        self._waiting.add(key)
        self._depth += 1
        if is_output:
            about = _part(_part(self._code(module), "outputs"), name)
            expressions, around = about.get("expression"), Around(module)
        else:
            expressions = _part(self._call(module), "expressions").get(name)
            around = self._around_call(module)
        found = self._resolve(expressions, around)
        if is_output:
            found = Origin(found.addresses, found.is_complete, found.is_list and len(found.addresses) < 2)  # noqa: PLR2004
        self._depth -= 1
        self._waiting.discard(key)
        self._known[key] = found
        return found


def names_of(module: ModulePath) -> Names:
    """A module instance's path without keys."""
    return tuple(each.name for each in module)


def references(expressions: Any) -> Iterator[str]:
    """The references in expressions, in their order, with those in blocks. Other forms have none."""
    waiting = [expressions]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += reversed(each)
        elif isinstance(each, Mapping):
            listed = each.get("references")
            if isinstance(listed, list):
                yield from (one for one in listed if isinstance(one, str))
            else:
                waiting += [below for name, below in reversed(list(each.items())) if name != "constant_value"]


def _longest(listed: list[str]) -> list[str]:
    """The references without those that only repeat the beginning of the one before: Terraform writes
    ``aws_subnet.a[0].id``, then ``aws_subnet.a[0]``, then ``aws_subnet.a``."""
    kept: list[str] = []
    before = ""
    for each in listed:
        if not before.startswith((f"{each}.", f"{each}[")):
            kept.append(each)
        before = each
    return list(dict.fromkeys(kept))


def _part(around: Any, name: str) -> Mapping[str, Any]:
    found = around.get(name) if isinstance(around, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _items(around: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    listed = around.get(name)
    return (each for each in listed if isinstance(each, Mapping)) if isinstance(listed, list) else iter(())
