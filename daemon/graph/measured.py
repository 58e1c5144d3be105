"""A graph with what the links make of each of its notes: made off a search's way, read by searches."""

from dataclasses import dataclass

from daemon.graph.centrality import Weights, eigenvector_centrality, pagerank
from daemon.graph.csr import FrozenGraph


@dataclass(frozen=True, slots=True)
class MeasuredGraph:
    """Links of one moment; `pageranks` and `centralities` have a value for each row."""

    graph: FrozenGraph
    pageranks: Weights  # sum to 1
    centralities: Weights  # 0 to 1

    @classmethod
    def of(cls, graph: FrozenGraph) -> "MeasuredGraph":
        """Measure a graph."""
        return cls(graph, pagerank(graph.out), eigenvector_centrality(graph.both))
