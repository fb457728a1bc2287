"""Rules about who gets in, and what they find."""
