"""AWS ParallelCluster in its own words."""
