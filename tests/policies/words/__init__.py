"""The texts of rules that no case shows."""
