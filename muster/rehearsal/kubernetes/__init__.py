"""A rehearsal on a real Kubernetes control plane, with the planned nodes on it."""
