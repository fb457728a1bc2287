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

PLUGIN = (
    "/opt/aws-ofi-nccl/lib",
    "/opt/amazon/ofi-nccl/lib",
    "/opt/amazon/ofi-nccl/lib64",
    "/opt/amazon/ofi-nccl/lib/x86_64-linux-gnu",
    "/opt/amazon/efa/lib",
    "/opt/amazon/efa/lib64",
)
"""Where NCCL's plugin for EFA and libfabric are, on nodes that run a job as it is: a plugin of one's own as AWS's
post-install script `nccl` has it, the rest as EFA's installer has it on Ubuntu or Amazon Linux."""

NCCL_AND_MPI = (
    "/opt/nccl/build/lib",
    *PLUGIN,
    "/opt/amazon/openmpi/lib",
    "/opt/amazon/openmpi/lib64",
    "/usr/local/cuda/lib64",
)
"""The same with NCCL, Open MPI and CUDA: for programs built on the nodes. Not for PyTorch, whose packages have an NCCL
and CUDA of their own: what stands here would be loaded in their place."""


def search(libraries: tuple[str, ...]) -> str:
    """The shell line that has them looked through before the user's own."""
    return f'export LD_LIBRARY_PATH="{":".join(libraries)}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"'


_OLD_KERNELS = frozenset({Os.RHEL8, Os.RHEL9, Os.ROCKY8, Os.ROCKY9})
"""4.18 and 5.14: a process that forks keeps its EFA memory only since 5.15 (efa-cheatsheet.md)."""


def forking(blueprint: SlurmBlueprint) -> dict[str, str]:
    """Of a process that uses EFA and forks, as one with data loaders does.

    Without huge pages: a fork of a process that holds some fails where there are no more of them (efa-cheatsheet.md).
    """
    old = {"FI_EFA_FORK_SAFE": "1"} if blueprint.described.os in _OLD_KERNELS else {}
    return {"FI_EFA_USE_HUGE_PAGE": "0", **old}
