"""AWS ParallelCluster: a Slurm cluster."""

from muster.backends.backend import Backend, InsteadOfKubernetes, Lazy, Scheduler

BACKEND = Backend(
    name="parallelcluster",
    title="ParallelCluster",
    scheduler=Scheduler.SLURM,
    other_names=frozenset({"slurm", "pcluster"}),
    description=Lazy("muster.config.description.parallelcluster:SlurmCluster"),
    cross_field_checks=Lazy("muster.config.description.slurm_cross_field:ON_PARALLELCLUSTER"),
    derive=Lazy("muster.blueprint.derive.parallelcluster:slurm"),
    register=Lazy("muster.deploy.parallelcluster:slurm"),
    deployed_parts=Lazy("muster.account.topics.permissions:of_parallelcluster"),
    # Those that its guide lists ("in a single subnet with no internet access"), without what a directory or a load
    # balancer takes.
    node_endpoints=("cloudformation", "dynamodb", "ec2", "logs", "s3"),
    simulated_nodes=Lazy("muster.rehearsal.slurm.services:parallelcluster"),
    make_job=Lazy("muster.jobs.catalogue:script_of"),
    print_job=Lazy("muster.cli.commands.job:batch_script"),
    rehearse=Lazy("muster.cli.commands.rehearse:rehearse_on_slurm"),
    instead_of_kubernetes=InsteadOfKubernetes(
        install="install software with post-install, or in an image (`muster config --image`)",
        inspect="use `pcluster describe-cluster --region {region} --cluster-name {cluster}`, and `sinfo` on its head "
        "node",
    ),
)
