"""Which resources the unknown values of a resource come from."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import ref
from muster.sources.terraform.configuration import Block, Configuration
from muster.sources.terraform.document import Document, Instance, ModulePath
from muster.sources.terraform.types import NAMES

_TEMPLATES = ("launchTemplate", "mixedInstancesPolicy")
"""The properties that name a launch template."""


class Uses:
    """Finds the resources behind unknown values."""

    def __init__(self, document: Document, configuration: Configuration) -> None:
        self._configuration = configuration
        self._types = {each.address: NAMES[each.type] for each in document.resources if each.type in NAMES}
        self._templates: dict[ModulePath, list[str]] = {}
        for each in document.resources:
            if self._types.get(each.address) == ref.LAUNCH_TEMPLATE:
                self._templates.setdefault(each.module, []).append(each.address)

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
                named = self._template_beside(resource) if name in _TEMPLATES else []
            if named:
                made[name] = tuple(sorted(named))
        return made

    def _template_beside(self, resource: Instance) -> list[str]:
        """The only launch template of a group's module instance: a module that makes one makes it for its group. Those
        of terraform-aws-eks name it in a `dynamic` block, which a plan leaves out."""
        listed = self._templates.get(resource.module, [])
        return listed if len(listed) == 1 else []

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
