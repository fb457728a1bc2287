"""EKS: node groups that join a Kubernetes control plane."""

from muster.backends.backend import Backend, Lazy

BACKEND = Backend(
    name="eks",
    other_names=frozenset({"kubernetes"}),
    description=Lazy("muster.config.description.eks_cluster:EksCluster"),
    foreign_keys=Lazy("muster.config.description.foreign_keys:ON_EKS"),
    cross_field_checks=Lazy("muster.config.description.cross_field:ON_EKS"),
    derive=Lazy("muster.blueprint.derive.eks:eks"),
    register=Lazy("deploy.kubernetes:kubernetes"),
)
