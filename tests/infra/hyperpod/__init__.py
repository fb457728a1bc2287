"""HyperPod's components."""
