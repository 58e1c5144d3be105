"""The functions that answer the endpoints, one file a subject. They block as they please: none runs on the loop."""
