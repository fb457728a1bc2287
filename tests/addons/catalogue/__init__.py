"""Add-ons whose values depend on the cluster."""
