"""The API's process: endpoints, their handlers, who may come in."""
