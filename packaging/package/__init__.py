"""Scrubjay, installed as one package: `scrubjay.daemon`, `scrubjay.profiles` and `scrubjay.credential_filter`.

In the repository these three are top-level folders. The wheel maps them below `scrubjay/`; an editable install reaches
them through links (`packaging/editable.py`), so that what is tested is what is shipped, file by file.
"""
