"""Who gets in, and what they find: the metadata service, disks, ports, roles, buckets, outputs, pods."""
