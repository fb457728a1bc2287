"""Compact ClusterConfigs, modelled on real ones."""

from typing import Any

import yaml

HEAD = {"apiVersion": "eksctl.io/v1alpha5", "kind": "ClusterConfig"}


def config(*groups: dict[str, Any], **more: Any) -> str:
    """A ClusterConfig in us-west-2 with managed node groups. `version` is the Kubernetes version."""
    metadata = {"name": "training", "region": "us-west-2", "version": more.pop("version", "1.35")}
    listed = [{"name": f"group-{index + 1}", **each} for index, each in enumerate(groups)]
    return yaml.safe_dump({**HEAD, "metadata": metadata, "managedNodeGroups": listed, **more}, sort_keys=False)
