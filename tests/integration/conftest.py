from tests.helpers.stores import file_store, module_store_kind, new_module_store, new_store, store, store_kind
from tests.helpers.team_server import team_database, team_server

__all__ = [
    "file_store",
    "module_store_kind",
    "new_module_store",
    "new_store",
    "store",
    "store_kind",
    "team_database",
    "team_server",
]
