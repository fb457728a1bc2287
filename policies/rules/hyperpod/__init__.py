"""Rules about SageMaker HyperPod on EKS: the cluster, its instance groups, their scripts and their capacity."""
