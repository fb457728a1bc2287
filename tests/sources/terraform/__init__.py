"""Terraform plans and states."""
