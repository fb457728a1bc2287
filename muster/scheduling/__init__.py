"""Which nodes take a pod, by the rules of Kubernetes' scheduler: labels (`requirements`), taints (`taints`), and
amounts of resources (`resources`).

`constraints` reads what a pod's spec requires, `node` is what of a node decides. `fit` compares the two and gives the
obstacles, typed; `reason_text` puts them into words.

After `k8s.io/component-helpers`, `scheduling/corev1/helpers.go` and `nodeaffinity/nodeaffinity.go`.
"""
