"""The text of files that are no notes: PDF, office files, books, web pages, canvases, drawings, code, pictures.

Pure parsers in `formats`, bytes in and a value out, and `box`: the process without files or network that they run in.
"""
