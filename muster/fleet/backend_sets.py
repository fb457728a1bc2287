"""The backends, as descriptions name them."""

EKS, HYPERPOD, HYPERPOD_SLURM = "eks", "hyperpod", "hyperpod-slurm"
PARALLELCLUSTER, PCS = "parallelcluster", "pcs"
