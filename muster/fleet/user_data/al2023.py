"""User data of AL2023 nodes: a MIME document with a script and a NodeConfig.

Order on the node (awslabs/amazon-eks-ami, nodeadm's systemd units): cloud-init runs the script, and only after
`cloud-final` does `nodeadm-run` start the kubelet. So the huge pages are there when the kubelet counts them, once and
for all. EKS merges its own NodeConfig (cluster, maxPods, labels) with ours.

Max pods go into a drop-in, `/etc/eks/nodeadm.d/`, and not into our NodeConfig: the EKS guide says that the maxPods EKS
itself injects win over user data, eksctl acts as if ours did; a drop-in wins over both (nodeadm `doc/examples.md`,
AMIs since v20251023). A script that fails does not keep the node out, so it says what it could not do: the kubelet then
offers the pages there really are, and a job waits with "Insufficient hugepages-2Mi" instead of failing at run time.
"""

import json
from typing import Any

from muster.fleet import huge_pages
from muster.fleet.user_data.boot import Boot, ClusterAddress

_BOUNDARY = "MUSTER-NODE"

_START = "#!/usr/bin/env bash\nset -uo pipefail\n"

_HUGE_PAGES = """
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

_MAX_PODS = """
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


def user_data(boot: Boot, cluster: ClusterAddress | None) -> str:
    """The whole MIME document, as text; empty where there is nothing to say."""
    script = ""
    if boot.huge_page_memory.mib:
        script += _HUGE_PAGES.format(pages=huge_pages.pages(boot.huge_page_memory))
    if boot.max_pods is not None and not boot.joins:
        script += _MAX_PODS.format(max_pods=boot.max_pods)
    parts = [('text/x-shellscript; charset="us-ascii"', _START + script)] if script else []
    spec = {**(_joining(boot, cluster) if cluster else {}), **(_RAID0 if boot.raid0 else {})}
    if spec:
        parts.append(("application/node.eks.aws", _node_config(spec)))
    if not parts:
        return ""
    body = "".join(f"--{_BOUNDARY}\nContent-Type: {kind}\n\n{text}\n" for kind, text in parts)
    return f'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="{_BOUNDARY}"\n\n{body}--{_BOUNDARY}--\n'


def _joining(boot: Boot, cluster: ClusterAddress) -> dict[str, Any]:
    """The cluster, and the labels and taints the kubelet registers its node with."""
    labels = ",".join(f"{key}={value}" for key, value in boot.labels)
    taints = [{"key": key, "value": value, "effect": effect} for key, value, effect in boot.taints]
    config = {
        # Nobody else says a number here, so that no drop-in is needed, which older images pass over.
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


def _node_config(spec: dict[str, Any]) -> str:
    """JSON is YAML too, and needs no library to write."""
    return json.dumps({"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": spec}, indent=2) + "\n"
