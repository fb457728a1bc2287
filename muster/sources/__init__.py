"""Cluster files of other tools: Terraform, CloudFormation, eksctl, Karpenter, ParallelCluster, HyperPod.

`formats.py` is the table of formats. Each format has a folder, whose `reader.py` reads a file as registered resources.
`description.py` writes the description of a cluster. A value that a file does not have is unknown. Nothing here applies
rules.
"""
