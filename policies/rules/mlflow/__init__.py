"""Managed MLflow: its tracking servers, and who logs to them."""
