"""Rules about clusters on AWS ParallelCluster alone: the cluster, its head node, its queues, what they share."""
