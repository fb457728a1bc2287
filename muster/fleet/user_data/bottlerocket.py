"""User data of Bottlerocket nodes: settings in TOML.

EKS merges its own settings (cluster, labels, taints) with ours in managed groups; where both say something, ours hold.
It refuses quoted keys in a table's header, so such keys stand below one. Sources: bottlerocket-settings-sdk and the
Bottlerocket documentation (bootstrap commands since 1.22, EFA since 1.28).
"""

from collections.abc import Iterator
from itertools import groupby

from muster.fleet import huge_pages
from muster.fleet.user_data.boot import Boot, ClusterAddress


def user_data(boot: Boot, cluster: ClusterAddress | None) -> str:
    """The settings, as text; empty where there is nothing to say."""
    return "\n".join(line for table in _tables(boot, cluster) for line in [*table, ""])


def _tables(boot: Boot, cluster: ClusterAddress | None) -> Iterator[list[str]]:
    kubernetes = list(_kubernetes(boot, cluster))
    if kubernetes:
        yield ["[settings.kubernetes]", *kubernetes]
    if cluster and boot.labels:
        yield ["[settings.kubernetes.node-labels]", *(f"{_text(key)} = {_text(value)}" for key, value in boot.labels)]
    if cluster and boot.taints:
        by_key = groupby(boot.taints, key=lambda taint: taint[0])
        lines = (
            f"{_text(key)} = [{', '.join(_text(f'{value}:{effect}') for _, value, effect in taints)}]"
            for key, taints in by_key
        )
        yield ["[settings.kubernetes.node-taints]", *lines]
    if boot.huge_page_memory.mib:
        pages = huge_pages.pages(boot.huge_page_memory)
        yield ["[settings.kernel.sysctl]", f'"vm.nr_hugepages" = "{pages}"']
    if boot.ssh:
        # Bottlerocket itself takes no keys: its admin container does.
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
        yield f"cluster-name = {_text(cluster.name)}"
        yield f"api-server = {_text(cluster.endpoint)}"
        yield f"cluster-certificate = {_text(cluster.certificate_authority)}"
        # Else Bottlerocket asks EKS for it, which the node's role may not.
        yield f"cluster-dns-ip = {_text(cluster.dns)}"
    if boot.max_pods is not None:
        yield f"max-pods = {boot.max_pods}"


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
