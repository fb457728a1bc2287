"""SageMaker HyperPod, orchestrated by EKS: instance groups that SageMaker runs."""

from muster.backends.backend import Backend, Lazy

BACKEND = Backend(
    name="hyperpod",
    other_names=frozenset({"sagemaker"}),
    own_keys=frozenset({"hyperpod"}),
    own_group_keys=frozenset({"hyperpod"}),
    description=Lazy("muster.config.description.hyperpod_cluster:HyperPodCluster"),
    foreign_keys=Lazy("muster.config.description.foreign_keys:ON_HYPERPOD"),
    cross_field_checks=Lazy("muster.config.description.cross_field:ON_HYPERPOD"),
    derive=Lazy("muster.blueprint.derive.hyperpod:hyperpod"),
    register=Lazy("deploy.kubernetes:kubernetes"),
)
