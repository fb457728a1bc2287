"""Reservations and placement."""
