"""AWS Parallel Computing Service (PCS): a Slurm cluster whose controller AWS runs."""

from muster.backends.backend import Backend, InsteadOfKubernetes, Lazy, Scheduler

BACKEND = Backend(
    name="pcs",
    title="AWS PCS",
    scheduler=Scheduler.SLURM,
    other_names=frozenset({"aws-pcs", "parallel-computing-service"}),
    description=Lazy("muster.config.description.pcs_cluster:PcsCluster"),
    cross_field_checks=Lazy("muster.config.description.slurm_cross_field:ON_PCS"),
    derive=Lazy("muster.blueprint.derive.pcs:pcs"),
    register=Lazy("muster.deploy.pcs:pcs"),
    deployed_parts=Lazy("muster.account.topics.permissions:of_pcs"),
    # Nodes register with PCS; the other services are those of nodes on EC2 that pull images from ECR.
    node_endpoints=("ec2", "ecr.api", "ecr.dkr", "pcs", "s3"),
    simulated_nodes=Lazy("muster.rehearsal.slurm.services:pcs"),
    make_job=Lazy("muster.jobs.catalogue:script_of"),
    print_job=Lazy("muster.cli.commands.job:batch_script"),
    rehearse=Lazy("muster.cli.commands.rehearse:rehearse_on_slurm"),
    instead_of_kubernetes=InsteadOfKubernetes(
        install="install software in the image of the nodes (image), or in the images of jobs",
        inspect="use `aws pcs get-cluster --region {region} --cluster-identifier {cluster}`, and `sinfo` on a login "
        "node",
    ),
)
