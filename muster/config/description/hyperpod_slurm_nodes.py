"""The nodes of a HyperPod cluster with Slurm that run no jobs: the controller and the login nodes.

Sources: SageMaker guide, "Getting started with SageMaker HyperPod using the AWS CLI"
(smcluster-getting-started-slurm-cli) and "SageMaker HyperPod Slurm configuration" (sagemaker-hyperpod-ref).
"""

from pydantic import StrictInt

from muster.config.description.base import Change, StrictModel, key, optional
from muster.config.description.instance_group import InstanceSettings
from muster.config.description.node_group import InstanceType, SecurityGroups
from muster.config.description.node_settings import MOST_INSTANCES
from muster.config.identifiers import DnsName, FileSystemId, GroupName
from muster.hardware.default_types import HYPERPOD_CONTROLLER
from muster.hardware.hyperpod_types import ML

EVERY_NODE = "dev"
"""The partition that HyperPod creates with all compute nodes (sagemaker-hyperpod-ref, SlurmConfig). It is the default
partition of jobs."""


class _ServiceNodes(StrictModel):
    """Nodes that run no jobs."""

    @property
    def instance_type(self) -> str:
        """SageMaker's name for its type."""
        return f"{ML}{self.instance}"

    name: GroupName = key("Name of the instance group.", Change.REPLACES, default="")
    instance: InstanceType = key("EC2 instance type without `ml.`, as in p5.48xlarge.", Change.REFUSED)
    security_groups: SecurityGroups = key(
        "Existing security groups to attach to every network interface, in addition to Muster's. Default: none.",
        Change.REFUSED,
        default=(),
    )
    hyperpod: InstanceSettings = key(
        "Settings that only HyperPod has. Default: those of HyperPod.",
        Change.REFUSED,
        default=InstanceSettings.model_construct(),
    )


class Controller(_ServiceNodes):
    """The controller: one instance, which runs slurmctld and, unless you set `accounting`, the database of jobs."""

    name: GroupName = key(
        "Name of its instance group. Another name creates another controller, without the jobs of this one. Default: "
        "controller.",
        Change.REPLACES,
        default="controller",
    )
    instance: InstanceType = key(
        f"EC2 instance type without `ml.`. Default: {HYPERPOD_CONTROLLER}.",
        Change.REFUSED,
        default=HYPERPOD_CONTROLLER,
    )

    @property
    def nodes(self) -> int:
        """One."""
        return 1


class LoginNodes(_ServiceNodes):
    """The nodes on which users log in and submit jobs."""

    name: GroupName = key("Name of their instance group. Default: login.", Change.REPLACES, default="login")
    nodes: StrictInt = key("Number of nodes. Default: 1.", Change.IN_PLACE, default=1, ge=0, le=MOST_INSTANCES)


class OpenZfsHome(StrictModel):
    """An existing FSx for OpenZFS file system with the home directories. Muster changes nothing in it. Its security
    group must allow NFS (TCP 2049) from the nodes."""

    id: FileSystemId = key("Id of the file system, as in fs-0123456789abcdef0.", Change.NEXT_LAUNCH)
    dns_name: DnsName | None = optional(
        "DNS name of the file system. Default: the name that its id and the Region determine.", Change.NEXT_LAUNCH
    )
