"""From a plan to ranked notes: both legs of every profile, fused, rolled up."""
