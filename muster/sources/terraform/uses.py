"""Which resources the unknown values of a resource come from."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.fleet.resources import ref
from muster.sources.terraform.configuration import Block, Configuration
from muster.sources.terraform.document import Document, Instance
from muster.sources.terraform.scopes import Scopes
from muster.sources.terraform.types import NAMES

_ALIKE: Mapping[str, str] = {
    ref.DEFAULT_GROUP: ref.SECURITY_GROUP,
    ref.CLUSTER: ref.SECURITY_GROUP,
    ref.CAPACITY_BLOCK: ref.CAPACITY_RESERVATION,
    ref.DIRECTORY_BUCKET: ref.BUCKET,
}
"""Types whose ids one property can have. A cluster has a security group that EKS creates."""
_TEMPLATES = ("launchTemplate", "mixedInstancesPolicy")
"""The properties that name a launch template."""
_ONLY_CLUSTERS = "orchestrator"
"""The property that names an EKS cluster, and no security group."""


class Uses:
    """Finds the resources behind unknown values."""

    def __init__(self, document: Document, configuration: Configuration) -> None:
        self._configuration = configuration
        self._scopes = Scopes(document, configuration)
        self._types = {each.address: NAMES[each.type] for each in document.resources if each.type in NAMES}

    def of(self, resource: Instance, block: Block, unknown: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """Pulumi's input name -> the addresses of the resources that the input's unknown parts come from.

        Args:
            resource: the resource.
            block: its code.
            unknown: the inputs with unknown parts, each with its expressions; None for those of a `dynamic` block.
        """
        made: dict[str, tuple[str, ...]] = {}
        for name, expressions in unknown.items():
            origin = self._configuration.origin(expressions, resource, block)
            named = [each for each in origin.addresses if each in self._types]
            if expressions is None or not origin.is_complete:
                named = self._certain({*named, *self._scopes.only(resource.module)}, resource, name)
                named = self._with_template(named, resource, name)
            if named:
                made[name] = tuple(sorted(named))
        return made

    def _with_template(self, named: list[str], resource: Instance, name: str) -> list[str]:
        """Adds the launch template of a group's module, if the group's code has no reference to a template."""
        if name not in _TEMPLATES or any(self._types[each] == ref.LAUNCH_TEMPLATE for each in named):
            return named
        own = self._scopes.template_of(resource.module)
        return [*named, own] if own else named

    def _certain(self, addresses: Iterable[str], resource: Instance, name: str) -> list[str]:
        """Those that are the only ones of their kind: more may be behind the value, and the plan does not name them."""
        by_kind: dict[str, list[str]] = {}
        for each in addresses:
            if each != resource.address:
                type_ = self._types[each]
                kind = type_ if name == _ONLY_CLUSTERS else _ALIKE.get(type_, type_)
                by_kind.setdefault(kind, []).append(each)
        return [each[0] for each in by_kind.values() if len(each) == 1]

    def can_be_unknown(self, resource: Instance, block: Block | None, expressions: Any) -> bool | None:
        """Whether expressions name a resource, or a data source that is not read; None if references are missing, or
        if what they name is an input of the module that has more in it."""
        if block is None:
            return True
        origin = self._configuration.origin(expressions, resource, block)
        if not origin.is_complete:
            return None
        return (True if origin.is_list else None) if origin.addresses else False

    def length(self, resource: Instance, block: Block | None, expressions: Any) -> int | None:
        """The number of items of an unknown list: that of the resources that its expressions name, if they name nothing
        else."""
        if block is None:
            return None
        origin = self._configuration.origin(expressions, resource, block)
        certain = origin.is_complete and (origin.is_list or len(origin.addresses) == 1)
        return len(origin.addresses) or None if certain else None
