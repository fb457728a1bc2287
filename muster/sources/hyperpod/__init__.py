"""Requests of SageMaker's CreateCluster and UpdateCluster as files, and the configuration of the HyperPod CLI."""
