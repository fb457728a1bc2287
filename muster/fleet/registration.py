"""One resource as a program registered it: the common form of the offline monitor, the policy pack and saved states."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.fleet.resources.ref import Ref
from muster.secret_texts import without_credentials

EXISTING = "existing"
"""The option of a resource that exists already: a file of another tool names it, and does not create it."""


@dataclass(frozen=True, slots=True)
class Registration:
    """One registered resource. Values are plain data in the engine's camelCase; an unknown one is `UNKNOWN`, and
    addresses have no credentials."""

    urn: str
    type: str
    name: str
    inputs: Mapping[str, Any]
    parent: str = ""
    """The parent's URN; empty for the stack itself."""
    custom: bool = True
    """False for components."""
    id: Any = ""
    """The provider's id; `UNKNOWN` in a preview."""
    outputs: Mapping[str, Any] = field(default_factory=dict)
    dependencies: tuple[str, ...] = ()
    """URNs, whatever the property."""
    property_dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Top-level input -> URNs of the resources its value is made of."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Resource options that were set: protect, ignoreChanges, provider, deletedWith, ..."""

    secrets: frozenset[str] = frozenset()
    """Top-level outputs that are secrets."""
    source: tuple[str, int] | None = field(default=None, compare=False)
    """The file and line of the program that registers it, where its SDK reports them."""

    def __post_init__(self) -> None:
        for name in ("inputs", "outputs"):
            object.__setattr__(self, name, without_credentials(getattr(self, name)))

    @property
    def ref(self) -> Ref:
        """The resource by type and logical name."""
        return Ref(self.type, self.name)
