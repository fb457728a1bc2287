"""Rules about SageMaker HyperPod on EKS or with Slurm: the cluster, its groups, their scripts and their capacity."""
