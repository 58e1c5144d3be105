"""The whole way from a query to what is shown, over one profile or several."""
