"""Previews, plans and exported states of Pulumi."""
