"""What finds the places in a text that may hold a secret: one module for each way in which people write one down."""
