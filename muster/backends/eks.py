"""EKS: node groups that join a Kubernetes control plane."""

from muster.backends.backend import Backend, Lazy, Scheduler

BACKEND = Backend(
    name="eks",
    scheduler=Scheduler.KUBERNETES,
    other_names=frozenset({"kubernetes"}),
    description=Lazy("muster.config.description.eks_cluster:EksCluster"),
    foreign_keys=Lazy("muster.config.description.foreign_keys:ON_EKS"),
    cross_field_checks=Lazy("muster.config.description.cross_field:ON_EKS"),
    change_costs=Lazy("muster.config.change_costs:COSTS"),
    derive=Lazy("muster.blueprint.derive.eks:eks"),
    register=Lazy("deploy.kubernetes:kubernetes"),
    deployment_actions=Lazy("muster.account.topics.permissions:kubernetes_actions"),
    cost=Lazy("muster.extras.cost.eks:COST"),
    group_of_output=Lazy("muster.config.cluster_outputs:eks_group"),
    simulated_nodes=Lazy("muster.rehearsal.kubernetes.eks_nodes:NODES"),
    print_job=Lazy("muster.cli.commands.job:manifest"),
    rehearse=Lazy("muster.cli.commands.rehearse:rehearse_on_kubernetes"),
)
