"""Subnets, zones and security groups."""
