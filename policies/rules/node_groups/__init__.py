"""Managed node groups and their launch templates."""
