"""ParallelCluster's configurations."""
