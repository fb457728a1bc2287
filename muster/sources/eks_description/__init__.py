"""Writes the description of an EKS cluster from registered resources, whatever the format of the file they are from."""

from muster.sources.eks_description.cluster import describe_cluster
from muster.sources.eks_description.parts import Described, Hints, LeftOutPart

__all__ = ["Described", "Hints", "LeftOutPart", "describe_cluster"]
