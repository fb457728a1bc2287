"""AWS ParallelCluster: a Slurm cluster."""

from muster.backends.backend import Backend, Lazy

BACKEND = Backend(
    name="parallelcluster",
    other_names=frozenset({"slurm", "pcluster"}),
    own_keys=frozenset({"queues", "head", "slurm", "post-install"}),
    description=Lazy("muster.config.description.slurm_cluster:SlurmCluster"),
    foreign_keys=Lazy("muster.config.description.foreign_keys:ON_PARALLELCLUSTER"),
    cross_field_checks=Lazy("muster.config.description.slurm_cross_field:CHECKS"),
    derive=Lazy("muster.blueprint.derive.slurm:slurm"),
    register=Lazy("deploy.slurm:slurm"),
)
