"""Managed MLflow: its tracking servers, and the pods that log to them."""
