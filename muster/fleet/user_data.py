"""User data of AL2023 nodes: a MIME document with a script and a NodeConfig.

Order on the node (awslabs/amazon-eks-ami, nodeadm's units): cloud-init runs the script, then `nodeadm-run` starts the
kubelet. So huge pages set by the script are there when the kubelet counts them. EKS adds its own NodeConfig with the
cluster's name and endpoint and merges the two.
"""

from muster.fleet import huge_pages
from muster.fleet.quantity import Size

_BOUNDARY = "MUSTER-NODE"

_HUGE_PAGES = """\
#!/usr/bin/env bash
# Sets huge pages aside before the kubelet starts and counts them.
set -euo pipefail
pages={pages}
echo "vm.nr_hugepages = $pages" > /etc/sysctl.d/90-huge-pages.conf
sysctl --quiet --load /etc/sysctl.d/90-huge-pages.conf
have=$(awk '/^HugePages_Total:/ {{print $2}}' /proc/meminfo)
if [ "$have" -lt "$pages" ]; then
  # Memory is still whole at this point of the boot; compacting once more is enough where it is not.
  echo 1 > /proc/sys/vm/compact_memory
  sysctl --quiet --load /etc/sysctl.d/90-huge-pages.conf
  have=$(awk '/^HugePages_Total:/ {{print $2}}' /proc/meminfo)
fi
echo "huge pages: $have of $pages"
[ "$have" -ge "$pages" ]
"""


def node_config(max_pods: int, raid0: bool) -> str:
    """The NodeConfig document: the pods the interfaces have addresses for, and the NVMe disks."""
    storage = "  instance:\n    localStorage:\n      strategy: RAID0\n" if raid0 else ""
    return (
        "apiVersion: node.eks.aws/v1alpha1\n"
        "kind: NodeConfig\n"
        "spec:\n"
        f"{storage}"
        "  kubelet:\n"
        "    config:\n"
        f"      maxPods: {max_pods}\n"
    )


def user_data(max_pods: int, huge_page_memory: Size, raid0: bool) -> str:
    """The whole MIME document, as text; EC2 wants it in base64.

    `huge_page_memory` of 0 leaves the script out.
    """
    parts = [("application/node.eks.aws", node_config(max_pods, raid0))]
    if huge_page_memory.mib:
        script = _HUGE_PAGES.format(pages=huge_pages.pages(huge_page_memory))
        parts.insert(0, ('text/x-shellscript; charset="us-ascii"', script))
    body = "".join(f"--{_BOUNDARY}\nContent-Type: {kind}\n\n{text}\n" for kind, text in parts)
    return f'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="{_BOUNDARY}"\n\n{body}--{_BOUNDARY}--\n'
