"""The control plane and its EKS add-ons."""
