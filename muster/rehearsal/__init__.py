"""A rehearsal: a real Kubernetes control plane on this machine, with the planned nodes on it.

kube-apiserver, kube-scheduler, kube-controller-manager and the training operator are the real ones; nodes and their
pods' lives are KWOK's. Nothing here is imported by `muster check` or `muster plan`.
"""
