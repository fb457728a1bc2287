"""SageMaker HyperPod, orchestrated by EKS: instance groups that SageMaker runs."""

from muster.backends.backend import Backend, Lazy, Scheduler
from muster.backends.eks import NODE_ENDPOINTS

BACKEND = Backend(
    name="hyperpod",
    title="HyperPod",
    scheduler=Scheduler.KUBERNETES,
    other_names=frozenset({"sagemaker"}),
    description=Lazy("muster.config.description.hyperpod_cluster:HyperPodCluster"),
    cross_field_checks=Lazy("muster.config.description.cross_field:ON_HYPERPOD"),
    derive=Lazy("muster.blueprint.derive.hyperpod:hyperpod"),
    register=Lazy("muster.deploy.kubernetes:kubernetes"),
    deployed_parts=Lazy("muster.account.topics.permissions:of_kubernetes"),
    # HyperPod's nodes are EKS's, and fetch their scripts from S3; no page lists more for them.
    node_endpoints=NODE_ENDPOINTS,
    group_of_output=Lazy("muster.stack.cluster_outputs:hyperpod_group"),
    simulated_nodes=Lazy("muster.rehearsal.kubernetes.services:HYPERPOD"),
    make_job=Lazy("muster.jobs.catalogue:manifest_of"),
    print_job=Lazy("muster.cli.commands.job:manifest"),
    rehearse=Lazy("muster.cli.commands.rehearse:rehearse_on_kubernetes"),
)
