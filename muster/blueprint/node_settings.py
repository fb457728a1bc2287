"""The settings of nodes in user data of any author: huge pages, and the kubelet's.

User data is a script, a MIME document whose parts are scripts and nodeadm's NodeConfigs (EKS user guide,
"launch-templates"), or, on Bottlerocket, settings in TOML (bottlerocket.dev, settings).
"""

import re
from base64 import b64decode
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from muster import yaml_text
from muster.plain_data import as_list, value_at
from muster.whole_number import whole_number


class NodeSettings(NamedTuple):
    """What user data sets, as far as rules read it."""

    huge_pages: int | None = None
    """Pages of 2 MiB when the kubelet starts; None if it sets none."""
    kubelet: Mapping[str, Any] = {}
    """Fields of the KubeletConfiguration: ``maxPods``, ``systemReserved``."""
    after_reboot: tuple[str, ...] = ()
    """Settings that have no effect before the node is rebooted, which nothing in the user data does. Sorted."""
    proxied: bool = False
    """Whether the kubelet and containerd have a proxy for HTTPS."""

    @property
    def max_pods(self) -> int | None:
        """The maximum of pods of the kubelet."""
        return whole_number(self.kubelet.get("maxPods"))


@lru_cache(maxsize=256)
def settings_in(text: str) -> NodeSettings:
    """The settings in user data."""
    settings = bottlerocket_settings(text)
    return _of_bottlerocket(settings) if settings is not None else _of_others(text)


def bottlerocket_settings(text: str) -> Mapping[str, Any] | None:
    """The settings of Bottlerocket; None if the text is something else."""
    if "settings" not in text:
        return None
    import tomllib  # noqa: PLC0415  (only for user data of Bottlerocket)

    try:
        found = tomllib.loads(text).get("settings")
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    return found if isinstance(found, Mapping) else None


_SETTINGS = {
    "cpuCFSQuota": "cpu-cfs-quota-enforced",
    "eventRecordQPS": "event-qps",
    "registryPullQPS": "registry-qps",
    "serverTLSBootstrap": "server-tls-bootstrap",
}
"""Fields of the kubelet's configuration -> settings of Bottlerocket with another name (bottlerocket.dev,
settings.kubernetes). The others have the name of their field, with dashes."""
_FIELDS = {setting: field for field, setting in _SETTINGS.items()}
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def setting_of(field: str) -> str:
    """The name in Bottlerocket's settings.kubernetes of a field of the kubelet's configuration."""
    return _SETTINGS.get(field) or _WORD.sub("-", field).lower()


def _field_of(setting: str) -> str:
    first, *others = setting.split("-")
    return _FIELDS.get(setting) or first + "".join(each.capitalize() for each in others)


_PAGES, _SIZE = "hugepages", "hugepagesz"
_TWO_MIB = frozenset({"2M", "2m", "2048k", "2048K"})


def _of_bottlerocket(settings: Mapping[str, Any]) -> NodeSettings:
    boot, kernel = value_at(settings, "boot"), value_at(settings, "kernel")
    parameters = value_at(boot, "kernel-parameters")
    named = parameters if isinstance(parameters, Mapping) else {}
    reboots = value_at(boot, "reboot-to-reconcile") is True
    sysctl = value_at(kernel, "sysctl")
    written = [value_at(sysctl, f"vm{mark}nr_hugepages") for mark in "./"]
    # https://github.com/bottlerocket-os/bottlerocket/issues/4385: user data is applied after the kernel booted.
    sizes = [str(each) for each in as_list(named.get(_SIZE))]
    if _PAGES in named and set(sizes) <= _TWO_MIB:
        written += as_list(named[_PAGES])[-1:] if reboots else []
    written.append(value_at(kernel, "hugepages", "static", "2Mi", "count"))
    pages = [whole_number(each) for each in written]
    kubernetes = value_at(settings, "kubernetes")
    kubelet = {_field_of(key): each for key, each in kubernetes.items()} if isinstance(kubernetes, Mapping) else {}
    return NodeSettings(
        huge_pages=next((each for each in pages if each is not None), None),
        kubelet=kubelet,
        after_reboot=() if reboots else tuple(sorted(named)),
        proxied=bool(value_at(settings, "network", "https-proxy")),
    )


_PAGES_IN_SCRIPT = re.compile(
    r"""(?:nr_hugepages["']?\s*=\s*["']?|^want=|\bhugepages=)(\d+)|echo\s+(\d+)\s*>\s*/proc/sys/vm/nr_hugepages""",
    re.MULTILINE,
)
_RESERVED = re.compile(r"""--(kube|system)-reserved[= ]["']?([\w=.,-]+)""")
_FLAG = re.compile(r"""--max-pods[= ]["']?(\d+)""")
_PROXY = re.compile(r"""\bHTTPS_PROXY["']?\s*[:=]\s*["']?\w""")
"""In nodeadm's environment, and in files of systemd that scripts write."""
_KEY = re.compile(r"""^[ \t]*["']?max-?pods["']?\s*[:=]\s*(\d+)""", re.MULTILINE | re.IGNORECASE)


def _of_others(whole: str) -> NodeSettings:
    parts = parts_of(whole)
    text = "\n".join(parts)
    pages = [first or second for first, second in _PAGES_IN_SCRIPT.findall(text)]
    kubelet: dict[str, Any] = {}
    for spec in (each for part in parts for each in node_specs(part)):
        config = value_at(spec, "kubelet", "config")
        kubelet |= config if isinstance(config, Mapping) else {}
    # Flags of the kubelet, and keys in parts that are no NodeConfig of their own.
    for of, amounts in _RESERVED.findall(text):
        kubelet[f"{of}Reserved"] = dict(each.split("=", 1) for each in amounts.split(",") if "=" in each)
    if pods := [*_KEY.findall(text), *_FLAG.findall(text)]:
        kubelet["maxPods"] = pods[-1]
    return NodeSettings(whole_number(pages[-1]) if pages else None, kubelet, proxied=bool(_PROXY.search(text)))


_MULTIPART = re.compile(r"""multipart/mixed;\s*boundary="?([^"\n;]+)""", re.IGNORECASE)


def parts_of(text: str) -> list[str]:
    """The decoded parts of a MIME document; the text itself, if it is none. Python's reader takes 30 ms to load."""
    marked = _MULTIPART.search(text)
    if marked is None:
        return [text]
    found = []
    for part in text.replace("\r\n", "\n").split(f"\n--{marked[1]}")[1:]:
        headers, _, body = part.partition("\n\n")
        try:
            found.append(b64decode(body).decode() if "base64" in headers.lower() else body)
        except ValueError:
            found.append(body)
    return found


def node_specs(part: str) -> list[Any]:
    """What nodeadm's NodeConfigs in a part of user data specify; nothing if it is something else."""
    try:
        documents = yaml_text.load_all(part) if "NodeConfig" in part else []
    except yaml_text.NotYaml:
        return []
    return [value_at(each, "spec") for each in documents if value_at(each, "kind") == "NodeConfig"]
