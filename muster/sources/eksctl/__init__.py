"""eksctl's ClusterConfig: what eksctl creates from a file, as registered resources.

Read in eksctl's source, release 0.231: pkg/apis/eksctl.io/v1alpha5 (defaults and validation), pkg/cfn/builder (the
resources), pkg/nodebootstrap (user data), pkg/addons and pkg/eks/tasks.go (device plugins).
"""
