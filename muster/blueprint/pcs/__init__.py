"""Clusters on AWS PCS."""
