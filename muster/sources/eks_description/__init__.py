"""Writes the description of an EKS cluster from registered resources, whatever the format of the file they are from."""

from muster.sources.eks_description.cluster import describe_cluster
from muster.sources.eks_description.parts import Described, Hints, LeftOutPart, NoGroupLeft

__all__ = ["Described", "Hints", "LeftOutPart", "NoGroupLeft", "describe_cluster"]
