"""Commands that install, connect and remove."""
