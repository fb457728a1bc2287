"""Karpenter manifests."""
