"""SageMaker HyperPod, orchestrated by Slurm."""

from muster.backends.backend import Backend, InsteadOfKubernetes, Lazy, Scheduler

BACKEND = Backend(
    name="hyperpod-slurm",
    title="HyperPod with Slurm",
    scheduler=Scheduler.SLURM,
    other_names=frozenset({"slurm-hyperpod", "hyperpod_slurm"}),
    description=Lazy("muster.config.description.hyperpod_slurm_cluster:HyperPodSlurmCluster"),
    cross_field_checks=Lazy("muster.config.description.slurm_cross_field:ON_HYPERPOD"),
    derive=Lazy("muster.blueprint.derive.hyperpod_slurm:hyperpod_slurm"),
    register=Lazy("muster.deploy.hyperpod_slurm:hyperpod_slurm"),
    deployed_parts=Lazy("muster.account.topics.permissions:of_hyperpod_slurm"),
    # HyperPod's own setup needs no internet access: all software is in the image (SageMaker guide,
    # smcluster-getting-started-slurm-cli, Option A). No page lists endpoints that nodes need.
    node_endpoints=(),
    simulated_nodes=Lazy("muster.rehearsal.slurm.services:hyperpod"),
    make_job=Lazy("muster.jobs.catalogue:script_of"),
    print_job=Lazy("muster.cli.commands.job:batch_script"),
    rehearse=Lazy("muster.cli.commands.rehearse:rehearse_on_slurm"),
    instead_of_kubernetes=InsteadOfKubernetes(
        install="install software with lifecycle scripts (hyperpod.lifecycle), or in the images of jobs",
        inspect="use `aws sagemaker describe-cluster --region {region} --cluster-name {cluster}`, and `sinfo` on its "
        "controller",
    ),
)
