"""Instance groups of HyperPod: types, numbers, volumes, labels, quotas."""
