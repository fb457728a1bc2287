"""Which nodes a pod may be on, by the rules of Kubernetes' scheduler: labels (`requirements`), taints (`taints`), and
amounts of resources.

`constraints` reads what a pod's spec requires. `fit` compares it with the fields of a node that matter,
and returns typed obstacles; `reason_text` describes them.

After `k8s.io/component-helpers`, `scheduling/corev1/helpers.go` and `nodeaffinity/nodeaffinity.go`.
"""
