"""Reads Terraform's plans and states, as `terraform show -json` prints them."""
