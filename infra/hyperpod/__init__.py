"""A SageMaker HyperPod cluster as AWS resources."""
