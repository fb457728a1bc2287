"""Checks that devices and EFA work on every node of a training group: a Job with one pod per node, which counts them.

Each pod requests its whole node, like the workers of the NCCL test, so no node gets two pods, and each pod gets all
devices of the plugins. It needs no operator, no system group, and no code for the accelerator. It therefore also runs
where the NCCL test does not (T4 and V100 GPUs, Trainium).

Verified in sources: the image is built on Ubuntu 22.04 with the EFA installer (awsome-distributed-training,
`nccl-tests.Dockerfile`), which puts `fi_info` into /opt/amazon/efa/bin (EC2 user guide, "Get started with EFA").
`fi_info` prints a block for each endpoint, with the line `domain: <device>-rdm` (libfabric `util/info.c`,
`efa_prov_info.c`). Since libfabric 2.1 a device has two of them, fabrics `efa` and `efa-direct`
(ofiwg/libfabric#10735), of the same domain. The job therefore counts each domain once, not blocks. An efa-only
interface is an EFA device like any other.
Inferred, because no node was available: that it runs on Neuron nodes. `fi_info` opens EFA devices and needs no
accelerator. NCCL, which the image preloads into every process, is disabled. The job requests Neuron devices, but does
not check them.
"""

from typing import Any

from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.blueprint.node import EFA_RESOURCE, Node
from muster.hardware.catalogue import Accelerator
from muster.jobs import images, job_metadata
from muster.jobs.group_selection import efa_plugin_of, plugins_of, worker_group
from muster.jobs.job_metadata import object_metadata, refuse_file_system
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.worker_set import NodeShare, WorkerSet, require_both, worker_set
from muster.versions import NCCL_TESTS_IMAGE

NAME = "efa-check"

_EFA = """\
found=$(/opt/amazon/efa/bin/fi_info -p efa -t FI_EP_RDM | awk '$1 == "domain:" {print $2}' | sort -u | wc -l)
echo "EFA devices on $NODE: $found of $EFA_DEVICES"
if [ "$found" -ne "$EFA_DEVICES" ]; then
  echo "fi_info does not list every EFA device: check the node's interfaces%s"
  failed=1
fi
"""

_GPUS = """\
found=$(nvidia-smi -L | grep -c '^GPU ')
echo "GPUs on $NODE: $found of $GPUS"
if [ "$found" -ne "$GPUS" ]; then
  echo "nvidia-smi does not list every GPU: check the node's driver (dmesg, Xid)%s"
  failed=1
fi
"""


def expected(efa: int, gpus: int) -> dict[str, str]:
    """The number of devices that a node must have, as environment variables."""
    return {"EFA_DEVICES": str(efa), **({"GPUS": str(gpus)} if gpus else {})}


def counting(gpus: int, *, efa_by: str = "", gpus_by: str = "") -> str:
    """Shell text that counts a node's devices and sets `failed`.

    Args:
        gpus: the number of GPUs that it must have; 0 skips the check of GPUs.
        efa_by: the add-on that may also be the cause for EFA interfaces: ``the EFA device plugin``.
        gpus_by: the same for GPUs.
    """
    efa = _EFA % (f", its EFA driver and {efa_by}" if efa_by else " and its EFA driver")
    return f"failed=0\n{efa}" + (_GPUS % (f" and {gpus_by}" if gpus_by else "") if gpus else "")


def _offered_by(node: Node, resource: str, vendor: str) -> str:
    """What offers devices of a node, in words."""
    return f"the {vendor} {'DRA driver' if resource in node.driven else 'device plugin'}"


def build(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> dict[str, Any]:
    """The Job for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    refuse_file_system(NAME, ask)
    made, queue = require_both(
        lambda: checked_workers(blueprint, ask), lambda: job_metadata.kueue_queue(blueprint, ask)
    )
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": object_metadata(NAME, queue),
        "spec": {
            # A pod's index shows which of them failed.
            "completionMode": "Indexed",
            "completions": made.count,
            "parallelism": made.count,
            # A single failure is the result; a retry on another node would hide it.
            "backoffLimit": 0,
            "template": {
                "spec": {**made.placement, "restartPolicy": "Never", "containers": [_container(blueprint, made)]},
            },
        },
    }


def notes(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> tuple[str, ...]:
    """Notes for the user who submits the job."""
    return checked_workers(blueprint, ask).share.notes


def checked_workers(blueprint: Blueprint, ask: JobOptions) -> WorkerSet:
    """Its workers.

    Raises:
        DoesNotFit: this cluster cannot have them; every reason at once.
    """
    return worker_set(blueprint, ask, job=NAME, workers=workers, addons=_needed, refuses=_refuses)


def _needed(group: KubernetesGroup | None) -> tuple[str, ...]:
    groups = [group] if group else []
    return (*plugins_of(groups), *efa_plugin_of(groups))


def _refuses(_group: KubernetesGroup, part: NodeShare) -> str:
    return "" if part.efa else f"{NAME} checks EFA interfaces, but a worker of this size has none; add --efa 1"


def workers(blueprint: Blueprint, wanted: str | None) -> KubernetesGroup:
    """The training group with EFA whose nodes are checked.

    Raises:
        DoesNotFit: none fits, several fit and none is requested, or the requested one does not fit.
    """
    return worker_group(blueprint, wanted, lambda _group: "", "EFA")


def _container(blueprint: Blueprint, made: WorkerSet) -> dict[str, Any]:
    node = made.group.node
    gpus = made.share.devices if node.hardware.accelerator is Accelerator.GPU else 0
    counted = counting(gpus, efa_by=_offered_by(node, EFA_RESOURCE, "EFA"), gpus_by=_offered_by(node, GPU, "NVIDIA"))
    return {
        "name": NAME,
        "image": made.ask.image or images.mirrored_image(blueprint, NCCL_TESTS_IMAGE),
        "imagePullPolicy": "IfNotPresent",
        "env": [
            {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
            *({"name": name, "value": value} for name, value in expected(made.share.efa, gpus).items()),
            {"name": "LD_PRELOAD", "value": ""},
        ],
        "command": ["/bin/sh", "-c", f"{counted}exit $failed\n"],
        "resources": made.share.requests_and_limits,
    }
