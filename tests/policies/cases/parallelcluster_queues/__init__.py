"""Queues and compute resources of ParallelCluster: rules that only they have."""
