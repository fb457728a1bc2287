"""Which nodes accept a pod, and why the others do not."""
