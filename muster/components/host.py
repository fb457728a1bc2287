"""Serves the components, with a schema that documents each argument."""

import json
import sys
from typing import Any

import pulumi
from pulumi.provider import main
from pulumi.provider.experimental.component import ComponentProvider
from pulumi.provider.provider import ConstructResult
from pulumi.provider.server import ComponentInitError

from muster import __version__
from muster.components.arguments import DOCUMENTED
from muster.components.lustre_file_system import LustreFileSystem
from muster.components.node_groups import NodeGroups
from muster.components.preparation import Refused
from muster.components.training_cluster import TrainingCluster

PACKAGE = "muster"
COMPONENTS: list[type[pulumi.ComponentResource]] = [LustreFileSystem, NodeGroups, TrainingCluster]


class Components(ComponentProvider):
    """The SDK's provider of components, which infers the schema of their types.

    It reads the documentation of arguments only from source files, but Muster's are made from the description's models,
    so the texts are added afterwards. It also reports what a component raises with a Python traceback: a refusal is
    reported as the engine reports wrong arguments, with no traceback.
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
            pulumi.InputPropertiesError: the description that its arguments form is refused.
        """
        try:
            return super().construct(name, resource_type, inputs, options)
        except ComponentInitError as fault:
            if isinstance(fault.inner, Refused):
                raise pulumi.InputPropertiesError(str(fault.inner), fault.inner.details) from None
            raise


def _document(schema: dict[str, Any]) -> None:
    """Adds the description's texts to every argument."""
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
    """The package's schema, which `pulumi package get-schema` also prints."""
    schema: dict[str, Any] = json.loads(Components().schema or "{}")
    return schema


def serve() -> None:
    """Serves until the engine ends the process."""
    main(Components(), sys.argv[1:])
