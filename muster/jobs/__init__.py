"""Training jobs: reference jobs as manifests or batch scripts, and the pods of any job. Pure."""
