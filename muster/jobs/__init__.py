"""Training jobs: reference jobs as manifests or batch scripts, and the pods that any job has. Pure."""
