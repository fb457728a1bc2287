"""Configurations of AWS ParallelCluster 3, as `pcluster create-cluster --cluster-configuration` reads them."""
