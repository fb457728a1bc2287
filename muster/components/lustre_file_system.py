"""A shared file system for the nodes of an EKS cluster which exists."""

from typing import Any

import pulumi

from muster.components.arguments import arguments, block
from muster.components.node_groups import OWN_NAMES
from muster.components.preparation import checked_blueprint, parent_of_resources
from muster.components.training_cluster import FACTS
from muster.config.description.control_plane import ExistingControlPlane
from muster.config.description.network import ExistingNetwork
from muster.config.description.storage import Lustre as LustreDescription
from muster.deploy.outputs import storage_output
from muster.finding import Finding
from muster.hardware.default_types import EKS_SYSTEM_NODES
from muster.infra.lustre import Lustre as FileSystem
from muster.infra.network import Foundation

LustreFileSystemArgs = arguments(
    "LustreFileSystemArgs",
    LustreDescription,
    kubernetes=(str, "Kubernetes version of the cluster."),
    cluster=(block(ExistingControlPlane), "EKS cluster whose nodes mount the file system."),
    network=(block(ExistingNetwork), "Network of the cluster."),
    facts=FACTS,
)

_PLACEHOLDER_GROUPS = {"nodes": {"for": "system", "instance": EKS_SYSTEM_NODES, "nodes": 1}}
"""A description needs groups. A file system does not depend on these, and no finding about them is reported."""


class LustreFileSystem(pulumi.ComponentResource):
    """A file system of FSx for Lustre, with its links to S3 and a security group that allows a cluster's nodes."""

    fileSystem: pulumi.Output[dict[str, Any]]  # noqa: N815  (outputs have the names of the contract)

    def __init__(
        self,
        name: str,
        args: LustreFileSystemArgs,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        given: dict[str, Any] = dict(args)
        facts = given.pop("facts", None)
        cluster, network, kubernetes = given.pop("cluster"), given.pop("network"), given.pop("kubernetes")
        whole = {
            "kubernetes": kubernetes,
            "control_plane": {"existing": cluster},
            "network": {"existing": network},
            "storage": {name: {"lustre": given}},
            "facts": facts,
        }
        blueprint = checked_blueprint(
            f"LustreFileSystem {name}",
            whole,
            own={**OWN_NAMES, f"storage.{name}.lustre": ""},
            more={"groups": _PLACEHOLDER_GROUPS},
            is_its_own=_is_its_own,
        )
        super().__init__("muster:index:LustreFileSystem", name, None, opts)
        (storage,) = blueprint.storage
        existing = blueprint.described.control_plane.existing
        assert existing is not None
        with parent_of_resources(self):
            made = FileSystem(storage, blueprint, Foundation.of(blueprint), {"nodes": existing.security_group})
        self.fileSystem = pulumi.Output.from_input(storage_output(storage, made, claim=None, claim_namespace=None))
        self.register_outputs({"fileSystem": self.fileSystem})


def _is_its_own(finding: Finding) -> bool:
    """Findings about the placeholder group of nodes are not about the file system."""
    return not finding.where.startswith("groups.")
