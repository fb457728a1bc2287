"""SageMaker HyperPod, orchestrated by EKS: instance groups that SageMaker runs."""

from muster.backends.backend import Backend, Lazy, Scheduler
from muster.backends.eks import NODE_ENDPOINTS
from muster.config.description.base import Change

BACKEND = Backend(
    name="hyperpod",
    title="HyperPod",
    scheduler=Scheduler.KUBERNETES,
    other_names=frozenset({"sagemaker"}),
    own_keys=frozenset({"hyperpod"}),
    own_group_keys=frozenset({"hyperpod"}),
    description=Lazy("muster.config.description.hyperpod_cluster:HyperPodCluster"),
    foreign_keys=Lazy("muster.config.description.foreign_keys:ON_HYPERPOD"),
    cross_field_checks=Lazy("muster.config.description.cross_field:ON_HYPERPOD"),
    sent_fields=Lazy("muster.config.description.sent_fields:ON_HYPERPOD"),
    change_costs=Lazy("muster.config.hyperpod_change_costs:COSTS"),
    group_changes={
        Change.NEXT_LAUNCH: "instances of group '{group}' have it that come from then on; {keep}",
        Change.REFUSED: "AWS refuses it for group '{group}': another name makes another group, and its {go}",
        Change.DELETES: "deletes group '{group}': its {go}",
    },
    derive=Lazy("muster.blueprint.derive.hyperpod:hyperpod"),
    register=Lazy("deploy.kubernetes:kubernetes"),
    deployment_actions=Lazy("muster.account.topics.permissions:kubernetes_actions"),
    # HyperPod's nodes are EKS's, and fetch their scripts from S3; no page lists more for them.
    node_endpoints=NODE_ENDPOINTS,
    cost=Lazy("muster.extras.cost.hyperpod:COST"),
    group_of_output=Lazy("muster.config.cluster_outputs:hyperpod_group"),
    simulated_nodes=Lazy("muster.rehearsal.kubernetes.hyperpod_nodes:NODES"),
    make_job=Lazy("muster.jobs.catalogue:manifest_of"),
    print_job=Lazy("muster.cli.commands.job:manifest"),
    rehearse=Lazy("muster.cli.commands.rehearse:rehearse_on_kubernetes"),
    config_command="muster hyperpod config",
)
