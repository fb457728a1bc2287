"""A cluster on ParallelCluster and its head node: what is said of them, rules that only they have."""
