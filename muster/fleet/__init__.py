"""What a cluster is: the description, the hardware catalogue, the blueprint derived from both, and the math between.

Pure Python: nothing here imports pulumi, reads the clock or opens a connection.
"""
