"""Karpenter's NodePools and EC2NodeClasses, beside other objects of the same files."""
