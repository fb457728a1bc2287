"""Variables that programs on ParallelCluster's nodes want, whichever job they are.

`FI_PROVIDER=efa` and `FI_EFA_USE_DEVICE_RDMA=1` are not among NCCL's: since libfabric 1.18 and aws-ofi-nccl 1.7 nothing
wants them (awsome-distributed-training, `1.architectures/efa-cheatsheet.md`); ParallelCluster 3.16 has libfabric 2. The
Neuron runtime, which goes without that plugin, wants both (`muster.jobs.bert`).
"""

from muster.fleet.description.slurm_cluster import Os
from muster.fleet.slurm_blueprint import SlurmBlueprint

INTERFACES = {"NCCL_SOCKET_IFNAME": "^docker,lo,veth"}
"""The interfaces that processes first meet by: any but Docker's, which EFA's nodes have too, and the loopback
(awsome-distributed-training, `nccl-tests-ami.sbatch`). None is named: the nodes' own are called otherwise on each type
and operating system, and naming one of several breaks the ring (the same, `architectures/aws-pcs`)."""

LIBRARIES = (
    "/opt/nccl/build/lib",
    "/opt/aws-ofi-nccl/lib",
    "/opt/amazon/ofi-nccl/lib",
    "/opt/amazon/ofi-nccl/lib64",
    "/opt/amazon/ofi-nccl/lib/x86_64-linux-gnu",
    "/opt/amazon/efa/lib",
    "/opt/amazon/efa/lib64",
    "/opt/amazon/openmpi/lib",
    "/opt/amazon/openmpi/lib64",
    "/usr/local/cuda/lib64",
)
"""Where NCCL, its plugin for EFA, libfabric, Open MPI and CUDA are, on nodes that run a job as it is: NCCL and a plugin
of one's own as AWS's post-install script `nccl` has them, the rest as EFA's installer has it on Ubuntu or Amazon Linux.
"""

SEARCH_LIBRARIES = f'export LD_LIBRARY_PATH="{":".join(LIBRARIES)}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"'

_OLD_KERNELS = frozenset({Os.RHEL8, Os.RHEL9, Os.ROCKY8, Os.ROCKY9})
"""4.18 and 5.14: a process that forks keeps its EFA memory only since 5.15 (efa-cheatsheet.md)."""


def forking(blueprint: SlurmBlueprint) -> dict[str, str]:
    """Of a process that uses EFA and forks, as one with data loaders does.

    Without huge pages: a fork of a process that holds some fails where there are no more of them (efa-cheatsheet.md).
    """
    old = {"FI_EFA_FORK_SAFE": "1"} if blueprint.described.os in _OLD_KERNELS else {}
    return {"FI_EFA_USE_HUGE_PAGE": "0", **old}
