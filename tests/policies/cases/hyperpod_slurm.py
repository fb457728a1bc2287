"""HyperPod clusters with Slurm."""

from muster.blueprint.logical_names import HYPERPOD_REF
from muster.fleet.resources import Fleet, Place, SlurmHyperPodCluster
from muster.unknown import UNKNOWN
from tests.factories import SG, A
from tests.factories.hyperpod_fleets import an_instance_group
from tests.policies.case import cases


def of(**more: object) -> Fleet:
    """A cluster with Slurm that a program makes, with one group of workers."""
    known = {"subnets": (A,), "security_groups": (SG,), "node_recovery": "Automatic", "slurm": True}
    cluster = SlurmHyperPodCluster(HYPERPOD_REF, "ml-cluster", None, place=Place("urn:hyperpod"), **known)
    return Fleet((cluster, an_instance_group(node_type="Compute", place=Place("urn:hyperpod"), **more)))


cases(
    a_group_of_slurm=lambda: of(),
    a_group_of_slurm_in_subnets_not_yet_known=lambda: of(subnets=UNKNOWN),
)
