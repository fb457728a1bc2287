"""Cluster files of other tools: Terraform, CloudFormation, eksctl, Karpenter, ParallelCluster, HyperPod.

`formats.py` is the table of formats. Each format has a folder with `reader.py`, which reads a file as registered
resources, and, where Muster can bring such a cluster over, `description.py`, which writes its description. A value that
a file does not have is unknown. Nothing here applies rules.
"""
