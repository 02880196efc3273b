# filter build -k binary_fuse: the filter of a set that is complete.
