"""From a query to ranked notes: parse, ask both legs, fuse, roll up, present, explain."""
