"""Both legs of every profile, fused into one order."""
