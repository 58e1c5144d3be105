"""Files beside notes: PDF, office files, books, canvases, pictures; read in a box, and indexed."""
