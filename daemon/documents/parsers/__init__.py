"""What several formats are read with: archives, XML, HTML, tables, PDFium."""
