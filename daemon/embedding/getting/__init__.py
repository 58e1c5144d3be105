"""Getting a model beside the bundled one: downloaded, or added from a folder, and tried before it is used."""
