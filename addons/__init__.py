"""The Kubernetes add-on manager: a catalog of add-ons, one file for each, and their installation."""
