"""Documented rules that no rule of the pack judges, and why. `docs/rules.md` prints them.

Numbers as in a rule's `facts`. A number stands here or in a rule's facts, never in both: a test sees to it.
"""

_OF_PARALLELCLUSTER = "is about ParallelCluster, which has no resources here"
_OF_A_JOB = "is about a pod, and a plan of a cluster has none: `muster job` writes pods that keep it"

UNJUDGEABLE = {
    "rules.md#6": "names one of several full-bandwidth layouts of p5 (efa on every fourth card, efa-only elsewhere): "
    "AWS's page has another today, and both reach the same bandwidth, so neither is wrong",
    "rules.md#12": _OF_PARALLELCLUSTER,
    "rules.md#16": "is about EFA by Dynamic Resource Allocation: Muster installs the device plugin, and which driver a "
    "foreign cluster runs is in no AWS resource",
    "rules.md#29": _OF_PARALLELCLUSTER,
    "rules.md#30": _OF_PARALLELCLUSTER,
    "rules.md#34": _OF_PARALLELCLUSTER,
    "rules.md#36": "is about Karpenter: its node classes and pools are Kubernetes objects that it reads while it runs",
    "rules.md#43": "is about what pods ask of huge pages: the nodes' number is derived, `muster job` stays within it",
    "rules.md#44": _OF_A_JOB,
    "rules.md#45": "is about how many Neuron devices a pod asks of the Neuron scheduler, which Muster does not install",
    "rules.md#46": "is about the EFA plugin's placement and pods' host paths: its instance types are derived, its "
    "pinned version is above the least",
    "rules.md#47": "is about values of the NVIDIA plugin: they are derived (mofedEnabled off, no driver, no toolkit), "
    "and where the image has a plugin built in, none is installed",
    "rules.md#48": "is about operators that share a CRD: Muster installs one that has MPIJob, and what else a cluster "
    "has, only the cluster knows",
    "rules.md#49": "is about HyperPod's labels and taints, which EKS nodes have not",
    "rules.md#50": "is about what is inside a training image: CUDA, NCCL and aws-ofi-nccl show when it runs",
    "hardware.md#R7": _OF_A_JOB,
    "hardware.md#R8": _OF_A_JOB,
    "hardware.md#R9": _OF_A_JOB,
}
"""Fact -> why: a clause whose subject is the documented rule."""
