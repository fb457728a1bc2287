"""Reservations and placement groups."""
