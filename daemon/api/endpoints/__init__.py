"""What travels: the requests and replies of each endpoint, and the endpoint itself. Light, for clients to import."""
