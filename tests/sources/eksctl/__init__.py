"""eksctl's ClusterConfig."""
