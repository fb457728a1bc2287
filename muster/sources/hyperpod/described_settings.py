"""Settings of a HyperPod cluster that EKS and Slurm have in common."""

from collections.abc import Mapping
from typing import Any

from muster.config.identifiers import HyperPodName
from muster.finding import KeyPath
from muster.sources.draft import Draft


def name_of_cluster(draft: Draft, document: Mapping[str, Any], path: KeyPath) -> dict[str, Any]:
    """Its name, if it is valid."""
    name = document.get("ClusterName")
    draft.take(path)
    return {"name": name} if draft.accepted(HyperPodName, name, path) else {}


def provisioning_of(draft: Draft, document: Mapping[str, Any]) -> dict[str, Any]:
    """Its node recovery and its provisioning."""
    made = {}
    if document.get("NodeRecovery") in ("Automatic", "None"):
        made["node-recovery"] = str(document["NodeRecovery"]).lower()
        draft.take(("NodeRecovery",))
    if document.get("NodeProvisioningMode") == "Continuous":
        made["provisioning"] = "continuous"
        draft.take(("NodeProvisioningMode",))
    return made
