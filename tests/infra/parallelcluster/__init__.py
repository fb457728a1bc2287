"""What is registered of a Slurm cluster on ParallelCluster."""
