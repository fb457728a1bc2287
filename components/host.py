"""Serves the components, with a schema that documents each argument."""

import json
import sys
from typing import Any

import pulumi
from pulumi.provider import main
from pulumi.provider.experimental.component import ComponentProvider
from pulumi.provider.provider import ConstructResult
from pulumi.provider.server import ComponentInitError

from components.arguments import DOCUMENTED
from components.lustre_file_system import LustreFileSystem
from components.node_groups import NodeGroups
from components.preparation import Refused
from components.training_cluster import TrainingCluster
from muster import __version__

PACKAGE = "muster"
COMPONENTS: list[type[pulumi.ComponentResource]] = [LustreFileSystem, NodeGroups, TrainingCluster]


class Components(ComponentProvider):
    """The SDK's provider of components, which infers the schema of their types.

    It finds what an argument is in source files only; ours are made of the description's models, so the words are put
    in afterwards. And it tells what a component raises with a trace of Python: a refusal is told as the engine tells
    wrong arguments, without one.
    """

    def __init__(self) -> None:
        super().__init__(COMPONENTS, PACKAGE, None, __version__)
        schema = json.loads(self.schema or "{}")
        _document(schema)
        self.schema: str | None = json.dumps(schema)

    def construct(
        self,
        name: str,
        resource_type: str,
        inputs: Any,
        options: pulumi.ResourceOptions | None = None,
    ) -> ConstructResult:
        """Makes one.

        Raises:
            pulumi.InputPropertiesError: the description that its arguments come to is refused.
        """
        try:
            return super().construct(name, resource_type, inputs, options)
        except ComponentInitError as fault:
            if isinstance(fault.inner, Refused):
                raise pulumi.InputPropertiesError(str(fault.inner), fault.inner.details) from None
            raise


def _document(schema: dict[str, Any]) -> None:
    """Puts the description's words at every argument."""
    kinds = {token.rpartition(":")[2]: kind for token, kind in schema["types"].items()}
    inputs = {
        token.rpartition(":")[2]: {"properties": each["inputProperties"]} for token, each in schema["resources"].items()
    }
    for name, words in DOCUMENTED.items():
        kind = kinds.get(name) or inputs.get(name.removesuffix("Args"))
        for key, property_ in (kind or {"properties": {}})["properties"].items():
            if key in words:
                property_["description"] = words[key]


def components_schema() -> dict[str, Any]:
    """The package's schema, which `pulumi package get-schema` prints, too."""
    schema: dict[str, Any] = json.loads(Components().schema or "{}")
    return schema


def serve() -> None:
    """Serves until the engine ends the process."""
    main(Components(), sys.argv[1:])
