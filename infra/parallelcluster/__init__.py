"""A Slurm cluster on AWS ParallelCluster as AWS resources."""
