"""How a view is written: a table of fields, and where each has its value in the properties of a resource."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType
from typing import Any, Generic, Never, TypeVar, get_args, get_type_hints

from muster.fleet.registration import Registration
from muster.fleet.resources import Place, PossibleReferences, Ref, Reference
from muster.plain_data import as_list
from muster.policies.views.references import References
from muster.unknown import UNKNOWN, NotKnown, UnknownType
from muster.whole_number import whole_number

T = TypeVar("T")


def unknown() -> Never:
    """Makes the field that is read unknown."""
    raise NotKnown("a property")


def known(value: T | UnknownType) -> T:
    """The value.

    Raises:
        NotKnown: it is unknown.
    """
    return unknown() if value is UNKNOWN else value


class Properties:
    """The properties of a resource, or of a block in them.

    Every path is of names with dots between; ``a.id|a.name`` is the first of the two that is set. Of a list on the way,
    its first entry counts.

    Every read raises `NotKnown` where a preview does not know the value, or where it has another type.
    """

    __slots__ = ("beside", "references", "resource", "values", "within")

    def __init__(
        self,
        resource: Registration,
        references: References,
        beside: list[Registration] | None = None,
        values: Any = None,
        within: str = "",
    ) -> None:
        self.resource = resource
        self.references = references
        self.beside = beside or []
        """The other resources that may configure this one."""
        self.values = resource.inputs if values is None else values
        """The mapping; UNKNOWN if it is not known."""
        self.within = within
        """The property of the resource that has all this; empty for the resource itself."""

    @property
    def ref(self) -> Ref:
        """The reference to the resource."""
        return self.references.ref(self.resource)

    def raw(self, path: str) -> Any:
        """The value, known or not."""
        for names in _paths(path):
            value = self.values
            for index, name in enumerate(names):
                if index and isinstance(value, list):
                    value = value[0] if value else None
                if value is UNKNOWN:
                    break
                value = value.get(name) if isinstance(value, Mapping) else None
            if value is not None:
                return value
        return None

    def get(self, path: str, default: Any = None) -> Any:
        """The value as it is."""
        value = known(self.raw(path))
        return default if value is None else value

    def needed(self, path: str) -> str:
        """A text; also unknown if it is not set."""
        return _needed(self.text(path))

    def text(self, path: str) -> str | None:
        """A text."""
        value = self.get(path)
        return value if value is None or isinstance(value, str) else unknown()

    def integer(self, path: str) -> int | None:
        """A number, even if a program writes it as text (`"0"`)."""
        value = self.get(path)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        return _needed(whole_number(value))

    def boolean(self, path: str) -> bool | None:
        """A boolean that some properties spell as text (`associatePublicIpAddress: "false"`)."""
        value = self.get(path)
        if value is None or isinstance(value, bool):
            return value
        return _needed({"true": True, "false": False}.get(str(value).lower()))

    def texts(self, path: str) -> tuple[str, ...]:
        """A list of texts; a single text is a list of one."""
        return tuple(each if isinstance(each, str) else unknown() for each in as_list(self.get(path)))

    def mapping(self, path: str) -> Mapping[str, Any] | None:
        """A block as it is; what is in it may be unknown."""
        value = self.get(path)
        return value if value is None or isinstance(value, Mapping) else unknown()

    def block(self, path: str) -> "Properties":
        """A nested block, empty if it is unset. If it is unknown, every read of it is."""
        value = self.raw(path)
        if isinstance(value, list):
            value = value[0] if value else None
        return self._inside(path, value if value is UNKNOWN or isinstance(value, Mapping) else {})

    def blocks(self, path: str) -> "list[Properties]":
        """A list of blocks; a single block is a list of one."""
        listed = [known(each) for each in as_list(self.get(path))]
        return [self._inside(path, each) for each in listed if isinstance(each, Mapping)]

    def known_blocks(self, path: str) -> "list[Properties]":
        """The same; empty if one of them is unknown."""
        try:
            return self.blocks(path)
        except NotKnown:
            return []

    def hidden(self, path: str) -> "Properties":
        """A block of which nothing is known."""
        return self._inside(path, UNKNOWN)

    def _inside(self, path: str, values: Any) -> "Properties":
        return Properties(self.resource, self.references, self.beside, values, self._property(path))

    def _property(self, path: str) -> str:
        return self.within or _paths(path)[0][0]

    def others(self, *types: str) -> "list[Properties]":
        """The other resources that may configure this one, of some types or of all."""
        return [Properties(each, self.references) for each in self.beside if not types or each.type in types]

    def one(self, path: str, *types: str) -> Reference | None:
        """The resource of some types that the value names."""
        return known(self.named(path, *types))

    def named(self, path: str, *types: str) -> Reference | None | UnknownType:
        """The same. For an unknown value, the property's only dependency of these types; UNKNOWN if it has none or
        several."""
        value = self.raw(path)
        if value is not UNKNOWN:
            return None if value is None else self.references.of(value, types)
        candidates = self.behind((self._property(path),), *types)
        return next(iter(candidates)) if len(candidates) == 1 else UNKNOWN

    def several(self, path: str, *types: str) -> tuple[Reference, ...]:
        """The resources of some types that a list of ids names, sorted."""
        return self.resources(self.raw(path), path, *types)

    def resources(self, ids: object, path: str, *types: str) -> tuple[Reference, ...]:
        """The same for ids that were read at a path.

        Unknown ids are resolved if their number leaves only one answer: in a list without repetition that has the
        length of the known names and the remaining candidates together.
        """
        listed = as_list(known(ids))
        named = set(self.references.named(listed, types))
        open_ = sum(each is UNKNOWN for each in listed)
        left = self.behind((self._property(path),), *types) - named if open_ else frozenset()
        if open_ != len(left):
            unknown()
        return tuple(sorted({*named, *left}, key=str))

    def among(self, path: str, *types: str) -> PossibleReferences | None:
        """What a list of ids, some of them unknown, may have: their number, and the candidates, which are the known
        names and the property's dependencies. None if even the number is not known."""
        values = self.raw(path)
        if not isinstance(values, list):
            return None
        candidates = {*self.references.named(values, types), *self.behind((self._property(path),), *types)}
        return PossibleReferences(len(values), tuple(sorted(candidates, key=str)))

    def behind(self, paths: Iterable[str], *types: str) -> frozenset[Ref]:
        """The resources of some types that properties depend on."""
        return self.references.behind(self.resource, paths, types)


def _needed(value: T | None) -> T:
    return unknown() if value is None else value


@cache
def _paths(path: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(each.split(".")) for each in path.split("|"))


Reader = Callable[[Properties], Any]


class View(Generic[T]):
    """Reads things of one kind: each field is unknown as soon as something that it needs is.

    A field is a path, whose value is read by the field's type, or a function of the properties. One that is not set, or
    not in the table, has its default; without a default it is None, or unknown if None has no meaning.
    """

    def __init__(self, kind: Callable[..., T], /, **readers: str | Reader) -> None:
        thing: Any = kind
        hints = get_type_hints(kind)
        self._kind = kind
        self._readers = {
            name: _by_type(each, hints[name]) if isinstance(each, str) else each for name, each in readers.items()
        }
        self._without = {
            each.name: None if NoneType in get_args(hints[each.name]) else UNKNOWN
            for each in fields(thing)
            if each.default is each.default_factory is MISSING
        }

    def __call__(self, of: Properties, /, **given: Any) -> T:
        """The thing.

        Args:
            of: its properties.
            given: fields that are made otherwise. Its reference and its place are those of the resource, if not given.
        """
        values: dict[str, Any] = {**self._without}
        if "place" in values:
            values |= {"ref": of.ref, "place": Place(of.resource.urn)}
        for name, read in self._readers.items():
            try:
                value = read(of)
            except NotKnown:
                value = UNKNOWN
            if value is not None:
                values[name] = value
        return self._kind(**{**values, **given})


def _by_type(path: str, hint: Any) -> Reader:
    read = next(read for kind, read in _READERS.items() if kind in get_args(hint))
    return lambda of: read(of, path)


_READERS: Mapping[Any, Callable[[Properties, str], Any]] = {
    str: Properties.text,
    bool: Properties.boolean,
    int: Properties.integer,
    tuple[str, ...]: Properties.texts,
    Mapping[str, Any]: Properties.mapping,
    frozenset[str]: lambda of, path: frozenset(of.texts(path)),
}


def one(path: str, *types: str) -> Reader:
    """The resource that the value at a path names."""
    return lambda of: of.one(path, *types)


def several(path: str, *types: str) -> Reader:
    """The resources that the ids at a path name."""
    return lambda of: of.several(path, *types)
