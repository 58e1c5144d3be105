"""Speed and memory, printed as figures and as ratios within one run: `make bench VAULT=path`."""
