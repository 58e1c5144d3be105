"""`/metrics`: figures in Prometheus' text format."""

from typing import Any

from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler

from scrubjay.daemon.api.door.caller import caller_of, needs, visible
from scrubjay.daemon.api.services import Services
from scrubjay.daemon.observe.metrics import CONTENT_TYPE


def route(services: Services) -> HTTPRouteHandler:
    """The route: text, so that it is no endpoint."""

    @get("/metrics", include_in_schema=False, guards=[needs("manage")], sync_to_thread=True)
    def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
        """Sizes of the visible profiles alone; what is counted over all of them, for who sees all."""
        client = caller_of(request.scope).client
        stores = services.stores(visible(services, client))
        sizes = [(name, store.counts()) for name, store in stores.items()]
        text = services.metrics.text(sizes, with_totals=client.profiles == "all")
        return Response(text, media_type=CONTENT_TYPE)

    return metrics
