"""The image, the volumes and the user data of a group's nodes, whoever wrote them, as keys of a description."""

from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from muster.blueprint.node_settings import bottlerocket_settings, node_specs, parts_of, settings_in
from muster.config.description.node_boot import SCRIPT_START
from muster.config.description.node_settings import BOTTLEROCKET_DATA
from muster.fleet.resources import LaunchTemplate, NodeGroup, Ref
from muster.hardware.ami import AMI_TYPES, Family
from muster.plain_data import as_list, drop_none, value_at
from muster.unknown import UNKNOWN

_ROOT = frozenset({"/dev/xvda", "/dev/sda1"})
_OF_CLUSTER = frozenset({"apiServer", "clusterCertificate", "clusterDnsIp", "clusterName", "nodeLabels", "nodeTaints"})
"""Settings of Bottlerocket that a cluster gives its nodes."""
_STRATEGY = ("instance", "localStorage", "strategy")
_NO_KEY = (
    ("kubelet", "flags"),
    ("kubelet", "maxPodsExpression"),
    ("containerd", "baseRuntimeSpec"),
    ("instance", "localStorage", "mountPath"),
    ("instance", "localStorage", "disabledMounts"),
    ("instance", "environment"),
    ("instance", "network"),
)
"""What nodeadm's NodeConfig has beside (awslabs/amazon-eks-ami, nodeadm/api/v1alpha1)."""
_BROUGHT = frozenset({"kubernetes", "bootstrap-containers", "container-runtime"})

Found = tuple[dict[str, Any], list[str]]
"""Keys of a group, and what none of them has."""


def boot_settings(group: NodeGroup, template: LaunchTemplate | None, inputs: Mapping[Ref, Mapping[str, Any]]) -> Found:
    """What a file has of the boot of a group's nodes.

    Args:
        group: the group.
        template: its launch template, if the file has it.
        inputs: those of each resource.
    """
    given = template.user_data if template else None
    text = _decoded(given) or ""
    settings, kind = bottlerocket_settings(text), AMI_TYPES.get(str(group.ami_type))
    bottlerocket = settings is not None or (kind is not None and kind.system == Family.BOTTLEROCKET)
    family = (Family.BOTTLEROCKET if bottlerocket else Family.AL2023).value
    keys, left = _of_parts(text) if settings is None else _of_bottlerocket(text, settings)
    if given is UNKNOWN:
        left.append("its user data, which is not in the file or has another form")
    image = template.image if template else None
    if isinstance(image, str) and image.startswith("ami-"):
        keys["image"] = {"custom": {"id": image, "family": family}}
    elif bottlerocket:
        keys["image"] = family
    for each in as_list(inputs.get(template.ref, {}).get("blockDeviceMappings") if template else None):
        named, ebs = value_at(each, "deviceName"), value_at(each, "ebs")
        device = named if isinstance(named, str) else None
        speed = ((name, value_at(ebs, name)) for name in ("iops", "throughput"))
        made: dict[str, Any] = {name: value for name, value in speed if isinstance(value, int)}
        if (size := value_at(ebs, "volumeSize")) not in (None, UNKNOWN):
            made["size"] = f"{size}GiB"
        if str(value_at(ebs, "volumeType")).startswith(("io", "s", "standard")):
            left.append(f"the type of volume {device}: Muster's are gp3")
        if device == BOTTLEROCKET_DATA if bottlerocket else device in _ROOT:
            keys["volume"] = made or None
        elif device and device not in _ROOT and "size" in made:
            keys.setdefault("volumes", []).append({"device": device, **made})
    return keys, [f"init does not bring over {each}" for each in left]


def _decoded(text: Any) -> str | None:
    """The text; None if there is none, or it cannot be read."""
    try:
        return b64decode(text, validate=True).decode() if isinstance(text, str) else None
    except ValueError:
        return None


def _of_bottlerocket(text: str, settings: Mapping[str, Any]) -> Found:
    containers = value_at(settings, "bootstrap-containers")
    one = next(iter(containers.values())) if isinstance(containers, Mapping) and len(containers) == 1 else None
    script = _decoded(value_at(one, "user-data"))
    soci = value_at(settings, "container-runtime", "snapshotter") == "soci"
    kubelet = {name: each for name, each in settings_in(text).kubelet.items() if name not in _OF_CLUSTER}
    found = {
        "scripts": {"before": script, "image": value_at(one, "source")} if script else None,
        "containerd": {"parallel-pull": True} if soci else None,
        "kubelet": kubelet or None,
    }
    other = [name for name in settings if name not in _BROUGHT]
    return drop_none(found), [f"settings.{name} of its user data" for name in other]


def _of_parts(text: str) -> Found:
    """Scripts of one program become one script."""
    keys: dict[str, Any] = {}
    left: list[str] = []
    scripts: list[str] = []
    for part in parts_of(text):
        if specs := node_specs(part):
            left += _add_node_configs(keys, specs)
        elif part.startswith(SCRIPT_START) and "/etc/eks/bootstrap.sh" not in part:
            scripts.append(part)
        elif part.strip():
            left.append("a part of its user data that is neither a script nor a NodeConfig")
    if len({each.partition("\n")[0] for each in scripts}) > 1:
        left.append("its scripts, which different programs run: join them to one")
    elif scripts:
        bodies = (each.partition("\n")[2].rstrip("\n") for each in scripts)
        keys["scripts"] = {"before": "\n".join([scripts[0].partition("\n")[0], *bodies, ""])}
    return keys, left


def _add_node_configs(keys: dict[str, Any], specs: list[Any]) -> list[str]:
    """Adds the settings of nodeadm's configurations, and returns what has no key."""
    for spec in specs:
        if value_at(spec, *_STRATEGY) == "RAID0":
            keys["local-storage"] = "raid0"
        config, fast = value_at(spec, "containerd", "config"), value_at(spec, "featureGates", "FastImagePull")
        if containerd := drop_none({"config": config, "parallel-pull": fast}):
            keys["containerd"] = containerd
        if isinstance(fields := value_at(spec, "kubelet", "config"), Mapping):
            keys["kubelet"] = {**keys.get("kubelet", {}), **fields}
    strategies = {value_at(each, *_STRATEGY) for each in specs}
    left = [".".join(path) for path in _NO_KEY if any(value_at(each, *path) for each in specs)]
    left += [".".join(_STRATEGY)] if strategies - {None, "RAID0"} else []
    return [f"{each} of its NodeConfig" for each in left]
