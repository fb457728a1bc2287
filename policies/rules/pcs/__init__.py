"""Rules about clusters on AWS PCS."""
