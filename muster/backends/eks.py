"""EKS: node groups that join a Kubernetes control plane."""

from muster.backends.backend import Backend, Lazy, Scheduler

NODE_ENDPOINTS = ("ec2", "ecr.api", "ecr.dkr", "s3")
"""The AWS services that a node calls before it joins and has images. The VPC CNI calls EC2, and so does the image, for
the node's name; the kubelet pulls from ECR, whose layers are in S3 (EKS user guide, "Deploy private clusters with
limited internet access"). A node gets the API's address from its user data and does not call EKS. STS, EKS Auth,
CloudWatch Logs, Auto Scaling, load balancing and SSM are for the pods and operators that use them."""

BACKEND = Backend(
    name="eks",
    title="EKS",
    scheduler=Scheduler.KUBERNETES,
    other_names=frozenset({"kubernetes"}),
    description=Lazy("muster.config.description.eks_cluster:EksCluster"),
    cross_field_checks=Lazy("muster.config.description.cross_field:ON_EKS"),
    derive=Lazy("muster.blueprint.derive.eks:eks"),
    register=Lazy("muster.deploy.kubernetes:kubernetes"),
    deployed_parts=Lazy("muster.account.topics.permissions:of_kubernetes"),
    node_endpoints=NODE_ENDPOINTS,
    group_of_output=Lazy("muster.stack.cluster_outputs:eks_group"),
    simulated_nodes=Lazy("muster.rehearsal.kubernetes.services:EKS"),
    make_job=Lazy("muster.jobs.catalogue:manifest_of"),
    print_job=Lazy("muster.cli.commands.job:manifest"),
    rehearse=Lazy("muster.cli.commands.rehearse:rehearse_on_kubernetes"),
)
