"""What the nodes of a group do at boot, as keys of a description: their image, volumes and user data, whoever wrote
them."""

from base64 import b64decode
from collections.abc import Iterator, Mapping
from email import message_from_string
from typing import Any, NamedTuple

from muster import yaml_text
from muster.blueprint.node_settings import bottlerocket_settings, settings_in
from muster.blueprint.user_data import NODE_CONFIG
from muster.config.description.node_boot import SCRIPT_START
from muster.config.description.node_settings import BOTTLEROCKET_DATA
from muster.fleet.resources import LaunchTemplate, NodeGroup
from muster.hardware.ami import AMI_TYPES, Family
from muster.plain_data import as_list, drop_none, value_at
from muster.unknown import UNKNOWN

_ROOT = frozenset({"/dev/xvda", "/dev/sda1"})
_GP = frozenset({None, UNKNOWN, "gp2", "gp3"})
_OF_CLUSTER = frozenset({"apiServer", "clusterCertificate", "clusterDnsIp", "clusterName", "nodeLabels", "nodeTaints"})
"""Settings of Bottlerocket that a cluster gives its nodes."""


class BootSettings(NamedTuple):
    """Keys of a group, and what none of them has."""

    keys: dict[str, Any]
    left: list[str]


def boot_settings(group: NodeGroup, template: LaunchTemplate | None, inputs: Mapping[str, Any]) -> BootSettings:
    """What a file has of the boot of a group's nodes.

    Args:
        group: the group.
        template: its launch template, if the file has it.
        inputs: those of the template.
    """
    found = BootSettings({}, [])
    text = _user_data(template)
    settings = bottlerocket_settings(text)
    kind = AMI_TYPES.get(str(group.ami_type))
    bottlerocket = settings is not None or (kind is not None and kind.system == Family.BOTTLEROCKET)
    family = Family.BOTTLEROCKET if bottlerocket else Family.AL2023
    image = template.image if template else None
    if isinstance(image, str) and image.startswith("ami-"):
        found.keys["image"] = {"custom": {"id": image, "family": family.value}}
    elif bottlerocket:
        found.keys["image"] = family.value
    _add_volumes(found, as_list(inputs.get("blockDeviceMappings")), bottlerocket=bottlerocket)
    if settings is not None:
        _add_bottlerocket(found, text, settings)
    else:
        _add_parts(found, text)
    return found


def _user_data(template: LaunchTemplate | None) -> str:
    """The text; empty if there is none, or it cannot be read."""
    given = template.user_data if template else None
    try:
        return b64decode(given, validate=True).decode() if isinstance(given, str) else ""
    except ValueError:
        return ""


def _add_volumes(found: BootSettings, mappings: list[Any], *, bottlerocket: bool) -> None:
    more = []
    for each in mappings:
        device, ebs = value_at(each, "deviceName"), value_at(each, "ebs")
        if not isinstance(device, str) or (device in _ROOT and bottlerocket):
            continue
        size, kind = value_at(ebs, "volumeSize"), value_at(ebs, "volumeType")
        sizes = {"size": f"{size}GiB"} if size not in (None, UNKNOWN) else {}
        speed = {name: value for name in ("iops", "throughput") if isinstance(value := value_at(ebs, name), int)}
        if kind not in _GP:
            found.left.append(f"volumes of type {kind}: Muster's are gp3")
        if device in _ROOT or device == BOTTLEROCKET_DATA:
            found.keys["volume"] = {**sizes, **speed} or None
        elif sizes:
            more.append({"device": device, **sizes, **speed})
    found.keys["volumes"] = more or None


def _add_bottlerocket(found: BootSettings, text: str, settings: Mapping[str, Any]) -> None:
    containers = value_at(settings, "bootstrap-containers")
    (one,) = containers.values() if isinstance(containers, Mapping) and len(containers) == 1 else (None,)
    if isinstance(script := value_at(one, "user-data"), str):
        found.keys["scripts"] = {"before": _decoded(script), "image": value_at(one, "source")}
    if value_at(settings, "container-runtime", "snapshotter") == "soci":
        found.keys["containerd"] = {"parallel-pull": True}
    fields = {name: each for name, each in settings_in(text).kubelet.items() if name not in _OF_CLUSTER}
    found.keys["kubelet"] = fields or None
    brought = {"kubernetes", *(["bootstrap-containers"] if one else []), "container-runtime"}
    found.left.extend(f"settings.{name} of its user data" for name in settings if name not in brought)


def _decoded(text: str) -> str | None:
    try:
        return b64decode(text, validate=True).decode()
    except ValueError:
        return None


def _add_parts(found: BootSettings, text: str) -> None:
    scripts: list[str] = []
    for kind, part in _parts(text):
        if kind == NODE_CONFIG or "NodeConfig" in part:
            _add_node_configs(found, part)
        elif part.startswith(SCRIPT_START) and "/etc/eks/bootstrap.sh" not in part:
            scripts.append(part)
        elif part.strip():
            found.left.append("a part of its user data that is neither a script nor a NodeConfig")
    starts = {each.splitlines()[0] for each in scripts}
    if len(starts) == 1:
        bodies = "".join(each.partition("\n")[2].rstrip("\n") + "\n" for each in scripts)
        found.keys["scripts"] = {"before": f"{starts.pop()}\n{bodies}"}
    elif scripts:
        found.left.append("its scripts, which different programs run: join them to one")


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The parts of user data, each with its type; one part, if it is no MIME document."""
    if "multipart/mixed" not in text[:1000]:
        yield "", text
        return
    for each in message_from_string(text.lstrip()).walk():
        payload = each.get_payload(decode=True)
        if isinstance(payload, bytes):
            yield each.get_content_type(), payload.decode(errors="replace").removesuffix("\n") + "\n"


def _add_node_configs(found: BootSettings, text: str) -> None:
    try:
        specs = [value_at(each, "spec") for each in yaml_text.load_all(text)]
    except yaml_text.NotYaml:
        found.left.append("a NodeConfig of its user data that is no YAML")
        return
    for spec in specs:
        if value_at(spec, "instance", "localStorage", "strategy") == "RAID0":
            found.keys["local-storage"] = "raid0"
        config, fast = value_at(spec, "containerd", "config"), value_at(spec, "featureGates", "FastImagePull")
        containerd = drop_none({"config": config, "parallel-pull": fast})
        if containerd:
            found.keys["containerd"] = containerd
        if fields := value_at(spec, "kubelet", "config"):
            found.keys["kubelet"] = {**(found.keys.get("kubelet") or {}), **fields}
        named = (("kubelet", "flags"), ("instance", "environment"), ("instance", "network"))
        found.left.extend(f"{'.'.join(path)} of its NodeConfig" for path in named if value_at(spec, *path))
