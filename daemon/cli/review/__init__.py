"""`scrubjay review`: small decisions that tidy a vault, and writing what was decided."""
