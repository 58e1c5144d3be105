import type { NoteRef, PairingAsk, RelatedRef, SearchAsk, SearchResult } from "./wire";

/** Parts of what travels that the panel speaks of by themselves, and words that it looks for. */

export type Mode = NonNullable<SearchAsk["mode"]>;
export type Sort = NonNullable<SearchAsk["sort"]>;
export type Scope = NonNullable<PairingAsk["scopes"]>[number];
export type Tier = SearchResult["relevance"];

/** Start and end (exclusive) in Unicode code points. */
export type Span = SearchResult["highlights"][number];

/** A note that is offered rather than found; why it is, where it is related to another. */
export type OfferedNote = NoteRef & Partial<RelatedRef>;

/** Reasons that say that one note links to the other. */
export const LINKED: readonly string[] = ["linked from here", "links here"];
