"""User data: the settings of a node at boot, in the format of its operating system."""

import json
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network
from itertools import groupby
from typing import Any, NamedTuple

from muster.hardware import huge_pages
from muster.hardware.ami import Family
from muster.size import Size


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

_RAID0 = {"instance": {"localStorage": {"strategy": "RAID0"}}}


def _al2023(boot: Boot, cluster: ClusterAddress | None) -> str:
    """The whole MIME document, as text; empty if there are no settings."""
    script = ""
    if boot.huge_page_memory.mib:
        script += _HUGE_PAGES_SCRIPT.format(pages=huge_pages.pages(boot.huge_page_memory))
    if boot.max_pods is not None and not boot.joins:
        script += _MAX_PODS_SCRIPT.format(max_pods=boot.max_pods)
    parts = [(SCRIPT, _START + script)] if script else []
    spec = {**(_joining(boot, cluster) if cluster else {}), **(_RAID0 if boot.raid0 else {})}
    if spec:
        # JSON is also valid YAML, and needs no library.
        config = json.dumps({"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": spec}, indent=2)
        parts.append((NODE_CONFIG, f"{config}\n"))
    return mime(parts)


def mime(parts: Sequence[tuple[str, str]]) -> str:
    """The MIME document of parts, each with its type; empty if there are none."""
    if not parts:
        return ""
    body = "".join(f"--{_BOUNDARY}\nContent-Type: {kind}\n\n{text}\n" for kind, text in parts)
    return f'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="{_BOUNDARY}"\n\n{body}--{_BOUNDARY}--\n'


def _joining(boot: Boot, cluster: ClusterAddress) -> dict[str, Any]:
    """The cluster, and the labels and taints with which the kubelet registers its node."""
    labels = ",".join(f"{key}={value}" for key, value in boot.labels)
    taints = [{"key": key, "value": value, "effect": effect} for key, value, effect in boot.taints]
    config = {
        # Nothing else sets a number here, so no drop-in is needed, which older images ignore.
        **({"maxPods": boot.max_pods} if boot.max_pods is not None else {}),
        **({"registerWithTaints": taints} if taints else {}),
    }
    return {
        "cluster": {
            "name": cluster.name,
            "apiServerEndpoint": cluster.endpoint,
            "certificateAuthority": cluster.certificate_authority,
            "cidr": cluster.service_cidr,
        },
        "kubelet": {
            **({"config": config} if config else {}),
            **({"flags": [f"--node-labels={labels}"]} if labels else {}),
        },
    }


# User data of Bottlerocket nodes: settings in TOML.
#
# EKS merges its own settings (cluster, labels, taints) with Muster's in managed groups; where both set a key, Muster's
# value is used. It refuses quoted keys in a table's header, so such keys are below one. Sources:
# bottlerocket-settings-sdk and the Bottlerocket documentation (bootstrap commands since 1.22, EFA since 1.28).


def _tables(boot: Boot, cluster: ClusterAddress | None) -> Iterator[list[str]]:
    kubernetes = list(_kubernetes(boot, cluster))
    if kubernetes:
        yield ["[settings.kubernetes]", *kubernetes]
    if cluster and boot.labels:
        yield [
            "[settings.kubernetes.node-labels]",
            *(f"{_toml_string(key)} = {_toml_string(value)}" for key, value in boot.labels),
        ]
    if cluster and boot.taints:
        by_key = groupby(boot.taints, key=lambda taint: taint[0])
        lines = (
            f"{_toml_string(key)} = [{', '.join(_toml_string(f'{value}:{effect}') for _, value, effect in taints)}]"
            for key, taints in by_key
        )
        yield ["[settings.kubernetes.node-taints]", *lines]
    if boot.huge_page_memory.mib:
        pages = huge_pages.pages(boot.huge_page_memory)
        yield ["[settings.kernel.sysctl]", f'"vm.nr_hugepages" = "{pages}"']
    if boot.ssh:
        # Bottlerocket itself accepts no keys: its admin container does.
        yield ["[settings.host-containers.admin]", "enabled = true"]
    if boot.raid0:
        yield [
            "[settings.bootstrap-commands.local-scratch]",
            (
                'commands = [["apiclient", "ephemeral-storage", "init"], ["apiclient", "ephemeral-storage", "bind", '
                '"--dirs", "/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods"]]'
            ),
            "essential = true",
            'mode = "always"',
        ]


def _kubernetes(boot: Boot, cluster: ClusterAddress | None) -> Iterator[str]:
    if cluster:
        yield f"cluster-name = {_toml_string(cluster.name)}"
        yield f"api-server = {_toml_string(cluster.endpoint)}"
        yield f"cluster-certificate = {_toml_string(cluster.certificate_authority)}"
        # Otherwise Bottlerocket queries EKS for it, which the node's role does not allow.
        yield f"cluster-dns-ip = {_toml_string(cluster.dns)}"
    if boot.max_pods is not None:
        yield f"max-pods = {boot.max_pods}"


def toml_lines(key: str, *values: Any) -> Iterator[str]:
    """Values at a key as TOML, one line each; blocks under the same key are one."""
    for each in values:
        if isinstance(each, Mapping):
            for name, below in each.items():
                yield from toml_lines(f"{key}.{_toml_string(str(name))}", below)
        elif each is not None:
            yield f"{key} = {json.dumps(each, ensure_ascii=False)}"


def _toml_string(value: str) -> str:
    """JSON has the escapes of TOML's basic strings."""
    return json.dumps(value, ensure_ascii=False)


def user_data(boot: Boot, cluster: ClusterAddress | None = None) -> str:
    """User data as text (EC2 expects it in base64); empty if there are no settings.

    Args:
        boot: its settings.
        cluster: the cluster it joins, where `boot.joins`.
    """
    if boot.family is Family.BOTTLEROCKET:
        return "\n".join(line for table in _tables(boot, cluster) for line in [*table, ""])
    return _al2023(boot, cluster)
