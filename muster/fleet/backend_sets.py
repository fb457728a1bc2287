"""The backends, as descriptions name them, and the sets of them for which rules are.

A new backend joins the sets whose words are true for it, and so the rules that use them.
"""

EKS, HYPERPOD, HYPERPOD_SLURM = "eks", "hyperpod", "hyperpod-slurm"
PARALLELCLUSTER, PCS = "parallelcluster", "pcs"

EVERY_BACKEND = (EKS, HYPERPOD, HYPERPOD_SLURM, PARALLELCLUSTER, PCS)

ON_KUBERNETES = (EKS, HYPERPOD)
"""Pods run on the nodes."""

IN_HYPERPOD = (HYPERPOD, HYPERPOD_SLURM)
"""SageMaker launches the instances, in its own accounts."""

IN_EC2 = (EKS, PARALLELCLUSTER, PCS)
"""The account launches the instances itself: from reservations and Capacity Blocks of EC2."""

FROM_LAUNCH_TEMPLATES = (EKS, PCS)
"""EC2 launches the instances from launch templates that the description or a program makes."""
