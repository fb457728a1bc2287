"""What NVIDIA's plugin brings and shares: feature discovery, GPUs that are offered more than once."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.policies.addons import PLUGINS, with_addons
from tests.policies.case import cases


def with_values(edits: dict[str, Any] | None = None, **values: Any) -> Fleet:
    """NVIDIA's plugin with values of the user's own."""
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"values": values}}, **(edits or {}))


ON: dict[str, Any] = {"enabled": True}

# feature-discovery-reaches-nodes


cases(
    discovery_without_nfd=lambda: with_values(gfd=ON),
)


def sharing(how: str, *, replicas: int = 4, edits: dict[str, Any] | None = None, **more: Any) -> Fleet:
    """NVIDIA's plugin with a configuration that shares GPUs."""
    lines = [f"    {key}: {str(value).lower()}" for key, value in more.items()]
    resources = ["    resources:", "    - name: nvidia.com/gpu", f"      replicas: {replicas}"]
    text = "\n".join(["version: v1", "sharing:", f"  {how}:", *lines, *resources])
    return with_values(edits, config={"map": {"default": text, "whole": "version: v1"}})


# shared-gpus-serve-jobs, training-gpus-not-shared


cases(
    gpus_by_time=lambda: sharing("timeSlicing"),
    gpus_by_time_under_another_name=lambda: sharing("timeSlicing", renameByDefault=True),
)
