"""User data: the settings of a node at boot, in the format of its operating system."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network
from itertools import groupby
from typing import Any, NamedTuple

from muster.blueprint.node_settings import setting_of
from muster.config.description.node_boot import Containerd, Scripts
from muster.hardware import huge_pages
from muster.hardware.ami import Family
from muster.plain_data import drop_none
from muster.size import Size


class NodeProxy(NamedTuple):
    """The HTTP proxy of a node."""

    http: str
    https: str
    without: tuple[str, ...]
    """The names and networks that it reaches without the proxy."""


class Boot(NamedTuple):
    """The settings of a node at boot."""

    family: Family
    huge_page_memory: Size
    """Memory to set aside as 2 MiB pages; 0 for none."""
    max_pods: int | None
    """The maximum number of pods of the kubelet; None if the image's own number is right."""
    raid0: bool
    """Whether the NVMe disks become one array for the kubelet and containers."""
    joins: bool = False
    """Whether the user data names the cluster: EKS adds it only for its images in managed groups."""
    labels: tuple[tuple[str, str], ...] = ()
    """The labels of its node object, if it joins by itself. Sorted."""
    ssh: bool = False
    """Whether users log in with a key pair."""
    taints: tuple[tuple[str, str, str], ...] = ()
    """The taints of its node object, if it joins by itself: key, value and effect."""
    scripts: Scripts = Scripts.model_construct()
    """Those of the user."""
    kubelet: Mapping[str, Any] = {}
    """Other fields of the kubelet's configuration than the number of pods."""
    containerd: Containerd = Containerd.model_construct()
    proxy: NodeProxy | None = None


class ClusterAddress(NamedTuple):
    """The values that a node needs to join a cluster."""

    name: str
    endpoint: str
    certificate_authority: str
    """The certificate authority: PEM in base64."""
    service_cidr: str
    """The address range of Services: ``172.20.0.0/16``."""

    @property
    def dns(self) -> str:
        """The address of the cluster's DNS. EKS gives it the tenth address of the range."""
        return str(IPv4Network(self.service_cidr)[10])


# User data of AL2023 nodes: a MIME document with a script and a NodeConfig.
#
# Order on the node (awslabs/amazon-eks-ami, nodeadm's systemd units): cloud-init runs the script, and only after
# `cloud-final` does `nodeadm-run` start the kubelet. So the huge pages are there when the kubelet counts them, once and
# for all. EKS merges its own NodeConfig (cluster, maxPods, labels) with Muster's.
#
# Max pods go into a drop-in, `/etc/eks/nodeadm.d/`, and not into Muster's NodeConfig: the EKS guide states that the
# maxPods that EKS injects override user data, eksctl relies on the opposite; a drop-in overrides both (nodeadm
# `doc/examples.md`, AMIs since v20251023). A script that fails does not stop the node from joining, so it logs what
# failed: the kubelet then offers the pages that exist, and a job waits with "Insufficient hugepages-2Mi" instead of
# failing at run time.

_BOUNDARY = "MUSTER-NODE"
SCRIPT, NODE_CONFIG = 'text/x-shellscript; charset="us-ascii"', "application/node.eks.aws"
"""The types of the parts that cloud-init and nodeadm read."""

_START = "#!/usr/bin/env bash\nset -uo pipefail\n"

_HUGE_PAGES_SCRIPT = """
# The file outlives a reboot (node repair reboots); this script runs once.
want={pages}
printf 'vm.nr_hugepages = %s\\n' "$want" > /etc/sysctl.d/90-muster-huge-pages.conf
for attempt in 1 2 3; do
  sysctl -q -w vm.nr_hugepages="$want"
  have=$(cat /proc/sys/vm/nr_hugepages)
  [ "$have" -ge "$want" ] && break
  echo 3 > /proc/sys/vm/drop_caches
  echo 1 > /proc/sys/vm/compact_memory
  sleep 1
done
echo "muster: $have of $want huge pages" | tee /dev/console
"""

_MAX_PODS_SCRIPT = """
install -d -m 0755 /etc/eks/nodeadm.d
cat > /etc/eks/nodeadm.d/90-muster-max-pods.yaml <<'CONFIG'
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      maxPods: {max_pods}
CONFIG
"""

# A script after the join is a unit of systemd, which waits for the end of nodeadm-run (nodeadm-run.service is
# Type=oneshot): the script that cloud-init runs must end before nodeadm-run begins, so it only queues the unit.
# It is in a folder of programs: where SELinux enforces its policy, systemd runs none from /var/lib.
_AFTER_SCRIPT = """
cat > /usr/local/sbin/muster-after <<'{end}'
{script}
{end}
chmod 0700 /usr/local/sbin/muster-after
cat > /etc/systemd/system/muster-after.service <<'UNIT'
[Unit]
Description=The script that runs after this node has joined its cluster
After=nodeadm-run.service
[Service]
Type=oneshot
ExecStart=/usr/local/sbin/muster-after
StandardOutput=journal+console
UNIT
systemctl daemon-reload
systemctl start --no-block muster-after.service
"""


def _al2023(boot: Boot, cluster: ClusterAddress | None) -> str:
    """The whole MIME document, as text; empty if there are no settings."""
    script, own = "", boot.scripts
    if boot.huge_page_memory.mib:
        script += _HUGE_PAGES_SCRIPT.format(pages=huge_pages.pages(boot.huge_page_memory))
    if boot.max_pods is not None and not boot.joins:
        script += _MAX_PODS_SCRIPT.format(max_pods=boot.max_pods)
    after = own.after and _AFTER_SCRIPT.format(script=own.after.rstrip("\n"), end=_not_in("END", own.after))
    scripts = (script and _START + script, own.before, after and _START + after)
    parts = [(SCRIPT, each) for each in scripts if each]
    if spec := _node_config(boot, cluster):
        # JSON is also valid YAML, and needs no library.
        config = json.dumps({"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": spec}, indent=2)
        parts.append((NODE_CONFIG, f"{config}\n"))
    return mime(parts)


def mime(parts: Sequence[tuple[str, str]]) -> str:
    """The MIME document of parts, each with its type; empty if there are none."""
    if not parts:
        return ""
    line = _not_in(_BOUNDARY, *(text for _, text in parts))
    body = "".join(f"--{line}\nContent-Type: {kind}\n{_transferred(text)}\n" for kind, text in parts)
    return f'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="{line}"\n\n{body}--{line}--\n'


def _transferred(text: str) -> str:
    """The rest of a part. Python's reader, which cloud-init uses, changes other characters than ASCII."""
    if text.isascii():
        return f"\n{text}"
    return f"Content-Transfer-Encoding: base64\n\n{b64encode(text.encode()).decode()}"


def _not_in(line: str, *texts: str) -> str:
    """A line that marks the end of texts, and that none of them has."""
    while any(line in each for each in texts):
        line += "-0"
    return line


def _node_config(boot: Boot, cluster: ClusterAddress | None) -> dict[str, Any]:
    """Nodeadm's settings of a node (awslabs/amazon-eks-ami, nodeadm/doc/api.md); if it joins by itself, also its
    cluster, and the labels and taints with which it registers. Environment variables need an image since v20251120:
    older ones ignore them, or query EKS without the proxy."""
    config, labels, proxy = dict(boot.kubelet), "", boot.proxy
    if cluster:
        labels = ",".join(f"{key}={value}" for key, value in boot.labels)
        taints = [{"key": key, "value": value, "effect": effect} for key, value, effect in boot.taints]
        # Nothing else sets a number here, so no drop-in is needed, which older images ignore.
        config = {**drop_none({"maxPods": boot.max_pods, "registerWithTaints": taints or None}), **config}
    named = {"HTTP_PROXY": proxy.http, "HTTPS_PROXY": proxy.https, "NO_PROXY": ",".join(proxy.without)} if proxy else {}
    blocks: dict[str, dict[str, Any]] = {
        "cluster": {
            "name": cluster.name,
            "apiServerEndpoint": cluster.endpoint,
            "certificateAuthority": cluster.certificate_authority,
            "cidr": cluster.service_cidr,
        }
        if cluster
        else {},
        "kubelet": {"config": config, "flags": [f"--node-labels={labels}"] if labels else []},
        "instance": {
            "localStorage": {"strategy": "RAID0"} if boot.raid0 else {},
            "environment": {"default": named} if named else {},
        },
        "containerd": {"config": boot.containerd.config},
        "featureGates": {"FastImagePull": boot.containerd.parallel_pull},
    }
    given = {
        name: {key: each for key, each in block.items() if each or name == "cluster"} for name, block in blocks.items()
    }
    return {name: each for name, each in given.items() if each}


# User data of Bottlerocket nodes: settings in TOML.
#
# EKS merges its own settings (cluster, labels, taints) with Muster's in managed groups; where both set a key, Muster's
# value is used. It refuses quoted keys in a table's header, so such keys are below one. Sources:
# bottlerocket-settings-sdk and the Bottlerocket documentation (bootstrap commands since 1.22, EFA since 1.28).


def _settings(boot: Boot, cluster: ClusterAddress | None) -> dict[str, Any]:
    """The settings; some are empty."""
    fields = {setting_of(field): each for field, each in boot.kubelet.items()}
    pods = {"max-pods": boot.max_pods} if boot.max_pods is not None else {}
    pages = huge_pages.pages(boot.huge_page_memory)
    soci, proxy = boot.containerd.parallel_pull, boot.proxy
    by_key = groupby(boot.taints, key=lambda taint: taint[0])
    taints = {key: [f"{value}:{effect}" for _, value, effect in each] for key, each in by_key}
    return {
        "kubernetes": {
            **(_bottlerocket_cluster(cluster) if cluster else {}),
            **pods,
            **({"node-labels": dict(boot.labels), "node-taints": taints} if cluster else {}),
            **{
                name: {key: str(one) for key, one in each.items()} if isinstance(each, Mapping) else each
                for name, each in fields.items()
            },
        },
        "kernel": {"sysctl": {"vm.nr_hugepages": str(pages)} if pages else {}},
        "bootstrap-containers": {"before": _container(boot.scripts) if boot.scripts.before else {}},
        "container-runtime": {"snapshotter": "soci"} if soci else {},
        "container-runtime-plugins": {"soci-snapshotter": {"pull-mode": "parallel-pull-unpack"} if soci else {}},
        "network": {"https-proxy": proxy.https, "no-proxy": proxy.without} if proxy else {},
        # Bottlerocket itself accepts no keys: its admin container does.
        "host-containers": {"admin": {"enabled": True} if boot.ssh else {}},
        "bootstrap-commands": {"local-scratch": _ARRAY if boot.raid0 else {}},
    }


_ON_THE_ARRAY = ("/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods")
_ARRAY = {
    "commands": [
        ["apiclient", "ephemeral-storage", "init"],
        ["apiclient", "ephemeral-storage", "bind", "--dirs", *_ON_THE_ARRAY],
    ],
    "essential": True,
    "mode": "always",
}


def _bottlerocket_cluster(cluster: ClusterAddress) -> dict[str, str]:
    return {
        "cluster-name": cluster.name,
        "api-server": cluster.endpoint,
        "cluster-certificate": cluster.certificate_authority,
        # Otherwise Bottlerocket queries EKS for it, which the node's role does not allow.
        "cluster-dns-ip": cluster.dns,
    }


def _container(scripts: Scripts) -> dict[str, str]:
    """The bootstrap container of a script: AWS's image runs its user data (bottlerocket-bootstrap-container)."""
    encoded = b64encode(str(scripts.before).encode()).decode()
    return {"source": str(scripts.image), "mode": "once", "user-data": encoded}


def toml_lines(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    """A table as lines of TOML, with those in it. JSON has TOML's strings, numbers and lists."""
    values = {key: each for key, each in table.items() if each is not None and not isinstance(each, Mapping)}
    if values:
        yield f"[{name}]"
        yield from (f"{_key(key)} = {json.dumps(each, ensure_ascii=False)}" for key, each in values.items())
        yield ""
    for key, each in table.items():
        if isinstance(each, Mapping):
            yield from toml_lines(f"{name}.{_key(key)}", each)


def _key(written: Any) -> str:
    text = str(written)
    return text if _BARE_KEY.fullmatch(text) else json.dumps(text, ensure_ascii=False)


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def user_data(boot: Boot, cluster: ClusterAddress | None = None) -> str:
    """User data as text (EC2 expects it in base64); empty if there are no settings.

    Args:
        boot: its settings.
        cluster: the cluster it joins, where `boot.joins`.
    """
    if boot.family is Family.BOTTLEROCKET:
        return "\n".join(toml_lines("settings", _settings(boot, cluster)))
    return _al2023(boot, cluster)
