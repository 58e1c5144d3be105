import type { Client } from "../../api/client";
import type { ProfileReply, SearchResponse, Status } from "../../api/wire";
import { say } from "../../words/say";
import { copyText, wholeNote, type Host, type OpenIn, type Place } from "../host";
import type { CardContext } from "../results/cardParts";
import { ResultPane } from "../results/resultPane";
import type { Reading } from "../notes/readingColumns";
import { placeOfRow, type Row } from "../results/rows";
import type { PanelSettings } from "../settings";
import type { Message } from "../shared/banner";
import { h } from "../shared/dom";
import { button } from "../shared/notice";
import { Press } from "../shared/press";
import { isBeingRead, isClosed, type Connection } from "../status/connection";
import { totalNotes } from "../status/words";
import { ActingMenu } from "../acting/actingMenu";
import { AboveResults } from "./aboveResults";
import { EmptyState } from "./emptyState";
import { NamedSearches } from "./namedSearches";
import { Hiding } from "./hiding";
import { isReadInPart } from "./notices";
import { QueryHistory, tellOpened } from "./box/history";
import { hints, placeOfClick, type Action } from "./box/keys";
import { KeyHelp } from "./box/keyHelp";
import { ScopeBar, type Scope, type SearchAddress } from "./scopeBar";
import { SearchBox } from "./box/searchBox";
import { SearchKeys } from "./box/searchKeys";
import { SearchSession, type SessionState } from "./session";
import { Unfolding } from "./unfolding";

export interface SearchViewOptions {
	client: Client;
	host: Host;
	settings: () => PanelSettings;
	/** The note in the editor, for the related notes of an empty box. */
	activeNote?: () => { vault: string; path: string } | null;
	/** Shows the selected note. */
	reading?: () => Reading;
	/** Does the view stand in a pane of Obsidian's, whose own keys go first? */
	inPane?: boolean;
	/** Keys that lead to the box from wherever the host is. */
	reachedBy?: readonly (readonly string[])[];
	/** The user searches for something else, or elsewhere. */
	onAddress?: (address: SearchAddress) => void;
	/** What is to be known of the search, the most pressing first, has changed. */
	onMessages?: (messages: readonly Message[]) => void;
	/** Escape in an empty box. */
	onLeave: () => void;
	/** A note was opened, a link inserted or a note made. */
	onDone?: () => void;
}

const DEEDS = ["unfold", "why", "dismiss", "hide"] as const;

/** The search panel: box, scope, results, hints. */
export class SearchView {
	readonly element = h("div", { class: "sj-search" });
	private readonly press = new Press(this.element);
	private readonly box: SearchBox;
	private readonly scopeBar: ScopeBar;
	private readonly above: AboveResults;
	private readonly pane: ResultPane;
	private readonly session: SearchSession;
	private readonly unfolding: Unfolding;
	private readonly hiding: Hiding;
	private readonly acting: ActingMenu;
	private readonly empty: EmptyState;
	private readonly history: QueryHistory;
	private readonly named: NamedSearches;
	private readonly help: KeyHelp;
	/** What the buttons of the selected row do: in an option of a list, nobody is told of buttons but who sees them. */
	private readonly deeds = h(
		"div",
		{ class: "sj-deeds", attrs: { role: "group", "aria-label": say("results.selected"), hidden: true } },
		...DEEDS.map((action) => button({ label: say(`key.${action}`), act: () => this.act(action) })),
	);
	readonly keys: SearchKeys;
	private profiles: readonly ProfileReply[] = [];
	private scope: Scope;
	private status: Status | null = null;
	/** What was asked again, and in which state of the profiles, since what the answer lacked seemed to be there. */
	private caughtUp = "";
	private state: SessionState = { query: "", response: null, answered: "", error: null, busy: false };
	private shown: { response: SearchResponse | null; answered: string } = { response: null, answered: "" };

	constructor(private readonly options: SearchViewOptions) {
		const { client, host, settings, inPane = false, reachedBy = [] } = options;
		const colourOf = (name: string): string | null | undefined =>
			this.profiles.find((profile) => profile.name === name)?.colour;
		this.named = new NamedSearches(host.storage);
		this.history = new QueryHistory(host.storage, () => settings().keepHistory);
		this.pane = new ResultPane({
			label: say("results.label"),
			host,
			context: () => this.context(),
			onOpen: (row, event) => this.openRow(row, placeOfClick(event, host.isMac)),
			onSelect: (row, id, isKept) => this.select(row, id, isKept),
			onEnd: () => this.session.more(),
			onLook: (again) => options.reading?.().look(again) ?? false,
			onKey: (event) => this.keys.pressed(event),
		});
		this.scope = { profiles: undefined, mode: settings().mode, sort: "relevance" };
		this.session = new SearchSession(
			(request) => client.ask("POST /v1/search", request),
			settings,
			this.scope,
			(state) => this.press.after(() => this.update(state)),
		);
		this.scopeBar = new ScopeBar(this.scope, (scope) => this.narrow(scope));
		this.above = new AboveResults({
			client,
			host,
			query: () => this.box.query,
			scope: () => this.scope,
			profiles: () => this.profiles.map(({ name }) => name),
			narrow: (profiles) => this.scopeBar.choose({ profiles }),
			colourOf,
			take: ({ query, scope }) => this.take({ query, ...scope }),
			open: (place, event) => this.open(place, placeOfClick(event, host.isMac)),
			create: host.createNote ? () => this.act("create") : undefined,
			retry: () => this.session.again(),
			takeAsTyped: () => this.session.takeAsTyped(),
			showHidden: () => this.session.showHidden(),
			search: (query) => this.setQuery(query),
			onMessages: options.onMessages,
			widen: () => (this.scope.mode === "hybrid" ? undefined : () => this.scopeBar.choose({ mode: "hybrid" })),
		});
		this.unfolding = new Unfolding({
			client,
			host,
			speaker: this.above.speaker,
			request: () => ({ ...this.session.request(), limit: this.state.response?.results.length ?? 1 }),
			onChange: () => this.press.after(() => this.drawResults(true)),
		});
		this.hiding = new Hiding({
			client,
			host,
			query: () => this.state.answered,
			onChange: () => this.session.refresh(),
		});
		this.acting = new ActingMenu({
			client,
			host,
			named: this.named,
			request: () => this.session.request(),
			onDone: () => this.session.refresh(),
		});
		this.box = new SearchBox({
			placeholder: say("box.placeholder"),
			controls: this.pane.id,
			suggest: (kind, prefix) =>
				client.askIfOffered("GET /v1/suggest", { kind, prefix }).then(
					(reply) => reply?.suggestions ?? null,
					() => null,
				),
			profiles: () => this.profiles.map(({ name }) => name),
			onInput: (query) => this.typed(query),
			onKey: (event) => this.keys.pressed(event),
		});
		this.keys = new SearchKeys({
			isMac: host.isMac,
			inPane,
			box: this.box,
			takeOffer: (number) => this.above.offers.take(number),
			can: (action) => this.can(action),
			act: (action) => this.act(action),
		});
		this.empty = new EmptyState({
			client,
			host,
			history: this.history,
			named: this.named,
			...(options.activeNote ? { activeNote: options.activeNote } : {}),
			onFilter: (filter) => this.box.addFilter(filter),
			onChange: () => this.press.after(() => this.drawEmpty()),
		});
		this.element.append(
			this.box.element,
			this.scopeBar.element,
			this.empty.filters,
			this.above.element,
			this.acting.editing,
			this.pane.element,
			this.deeds,
		);
		this.help = new KeyHelp(this.element, this.scopeBar.element, {
			isMac: host.isMac,
			hints: [
				...hints(host.isMac, (action) => this.can(action), inPane),
				...reachedBy.map((keys) => ({ keys, label: say("key.box") })),
			],
		});
		this.scopeBar.element.prepend(this.above.summary, this.acting.menu);
		void this.empty.load();
	}

	focus(): void {
		this.box.input.focus();
		this.box.input.select();
	}

	setQuery(query: string): void {
		this.box.setQuery(query);
		this.session.settle();
	}

	/** Show a query from before, to be changed or typed over. */
	restore(query: string): void {
		this.box.replace(query);
		this.session.restore(query);
		this.focus();
	}

	get address(): SearchAddress {
		return { query: this.box.query, ...this.scope };
	}

	/** Show what was shown before, or elsewhere. The focus stays where it is. isAsked: the user asks for it now. */
	go({ query, ...scope }: SearchAddress, isAsked = true): void {
		this.scope = scope;
		this.scopeBar.show(scope);
		this.box.replace(query);
		this.session.go(query, scope, isAsked);
	}

	setProfiles(profiles: readonly ProfileReply[]): void {
		this.press.after(() => {
			this.profiles = profiles;
			this.showNarrowing(profiles.length > 0);
			this.scopeBar.setProfiles(profiles);
			if (this.state.query.trim() !== "") this.drawResults(true);
			else if (profiles.length > 0 && this.empty.isWithoutProfile) void this.empty.load();
			else this.drawEmpty();
		});
	}

	/** Open a note that this search led to. The daemon learns of it if the note is one of the results. */
	open(place: Place, where: OpenIn): void {
		const { host, settings } = this.options;
		if (settings().keepHistory) tellOpened(this.options.client, this.state, place);
		this.finish(() => host.open(settings().jumpToMatch ? place : wholeNote(place), where));
	}

	/** Show which keys there are, or hide them. */
	toggleKeys(): void {
		this.help.toggle();
	}

	/** Close what is open on top of the results: completions, choices, keys, an edit, or the reader. Says whether anything was. */
	stepBack(): boolean {
		return (
			this.box.dismiss() ||
			this.scopeBar.close() ||
			this.help.close() ||
			this.acting.close() ||
			(this.options.reading?.().leave() ?? false)
		);
	}

	/** The connection came back or the index changed: bring what is shown up to date. */
	refresh(): void {
		if (this.state.query.trim() === "") void this.empty.load();
		else this.session.refresh();
	}

	/** Keep what is shown up to date with what is read, as long as the daemon is there. Returns how to stop. */
	follow(connection: Connection): () => void {
		this.status = connection.current.status;
		const stops = [
			connection.onReturn(() => this.refresh()),
			connection.listen(({ status }) => {
				const hasMore = totalNotes(status) !== totalNotes(this.status);
				this.status = status;
				if (hasMore) this.moreIsRead();
				this.catchUp();
			}),
		];
		return () => {
			for (const stop of stops) stop();
		};
	}

	/** More notes have been read: an empty box offers them, and where nothing was found something may be. */
	private moreIsRead(): void {
		const { query, response, busy } = this.state;
		if (query.trim() === "" || busy || response?.results.length === 0) this.refresh();
	}

	/** Ask again when the profiles, notes or vectors that the answer lacked are there: once in each state of the profiles. */
	private catchUp(): void {
		const { response, query, answered, busy } = this.state;
		if (!this.status || !response || busy || query !== answered) return;
		const { profiles } = this.scope;
		const searched = this.status.profiles.filter(({ name }) => profiles?.includes(name) ?? true);
		const isThere =
			(isReadInPart(response) && !searched.some(isBeingRead)) ||
			(response.unanswered.length > 0 && !searched.some(isClosed)) ||
			(response.pending_embeddings > 0 && searched.every(({ pending_embeddings: left }) => left === 0));
		const seen = JSON.stringify([query, searched.map(({ state, notes }) => [state, notes])]);
		const isNew = seen !== this.caughtUp;
		this.caughtUp = isThere ? seen : "";
		if (isThere && isNew) this.session.refresh();
	}

	dispose(): void {
		this.session.dispose();
		this.above.speaker.dispose();
		this.pane.dispose();
	}

	/** Search for something else, as if the user had typed and chosen it. */
	private take(address: SearchAddress): void {
		this.go(address);
		this.options.onAddress?.(this.address);
		this.focus();
	}

	private typed(query: string): void {
		this.session.type(query);
		this.options.onAddress?.(this.address);
	}

	private narrow(scope: Scope): void {
		this.scope = scope;
		this.session.setScope(scope);
		this.options.onAddress?.(this.address);
	}

	private update(state: SessionState): void {
		if (state.query !== this.state.query) this.acting.forget();
		this.state = state;
		this.element.classList.toggle("is-busy", state.busy);
		if (state.query.trim() === "") {
			const wasEmpty = this.shown.response === null;
			this.shown = { response: null, answered: "" };
			this.drawEmpty(wasEmpty);
			return;
		}
		this.empty.filters.hidden = true;
		const { response, answered } = state;
		if (response !== this.shown.response) {
			const sameQuery = answered === this.shown.answered;
			if (!sameQuery) this.unfolding.clear();
			this.shown = { response, answered };
			this.drawResults(sameQuery);
		}
		this.above.show(state);
		const { error, query } = state;
		if (error && query !== answered) this.pane.set([], false);
		this.catchUp();
	}

	/** Before who is to press the notice's button: it would move away below the pointer. */
	private showNarrowing(isShown: boolean): void {
		this.element.classList.toggle("has-no-profile", !isShown);
	}

	private drawEmpty(keep = true): void {
		if (this.state.query.trim() !== "") return;
		if (this.empty.isWithoutProfile) this.showNarrowing(false);
		this.empty.filters.hidden = false;
		this.above.clear(this.empty.notice());
		this.scopeBar.count(undefined);
		this.acting.show(false);
		this.setRows(this.empty.rows(), keep);
	}

	private drawResults(keep: boolean): void {
		const response = this.state.response;
		if (!response) return;
		this.setRows(this.unfolding.rows(response.results), keep);
		this.acting.show(response.results.length > 0);
		this.element.classList.toggle("is-weak", response.relevance === "low");
		if (response.facets.length > 0) this.scopeBar.count(response.facets.find(({ name }) => name === "profile"));
	}

	/** Who reads the note of the selected row has chosen it. */
	private setRows(rows: readonly Row[], keep: boolean): void {
		if (keep && this.options.reading?.().isInUse) this.pane.keepSelection();
		this.pane.set(rows, keep);
	}

	private context(): CardContext {
		return {
			now: new Date(),
			colours: new Map(this.profiles.map(({ name, colour }) => [name, colour])),
			showProfile: this.profiles.length > 1,
			actions: {
				unfold: (row) => this.unfolding.togglePassages(row),
				explain: (row) => this.unfolding.toggleReasons(row),
				dismiss: (row) => this.hiding.dismiss(row),
				hide: (row) => this.hiding.hideAlways(row),
				apart: () => this.session.unfold(),
			},
		};
	}

	private select(row: Row | null, id: string | null, isKept: boolean): void {
		this.box.showActive(id);
		this.deeds.hidden = row?.kind !== "result";
		this.options.reading?.().show(row && placeOfRow(row), isKept);
	}

	private can(action: Action): boolean {
		const { host } = this.options;
		if (action === "insert-link") return host.insertLink !== undefined;
		if (action === "create") return host.createNote !== undefined;
		return this.options.reading !== undefined || !(action === "read" || action.endsWith("-match"));
	}

	private act(action: Action): void {
		const { host, reading } = this.options;
		const row = this.pane.current;
		const place = row && placeOfRow(row);
		const steps: Record<Action, () => void> = {
			next: () => this.pane.move(1),
			previous: () => this.pane.move(-1),
			"page-down": () => this.pane.movePage(1),
			"page-up": () => this.pane.movePage(-1),
			open: () => (this.isAhead() ? this.session.settle() : row && this.openRow(row, "here")),
			"open-tab": () => row && this.openRow(row, "tab"),
			"open-split": () => row && this.openRow(row, "split"),
			"insert-link": () => place && this.finish(() => host.insertLink?.(place)),
			create: () => this.finish(() => host.createNote?.(this.state.query.trim())),
			"copy-link": () => place && copyText(host, "copied.link", host.linkTo(place)),
			unfold: () => row && this.unfolding.togglePassages(row),
			why: () => row && this.unfolding.toggleReasons(row),
			dismiss: () => this.hiding.dismiss(row),
			hide: () => this.hiding.hideAlways(row),
			read: () => reading?.().toggle(),
			"next-match": () => this.stepMatch(1),
			"previous-match": () => this.stepMatch(-1),
			"older-query": () => this.walkHistory(1),
			"newer-query": () => this.walkHistory(-1),
			keys: () => this.toggleKeys(),
			leave: () => this.stepBack() || this.leave(),
		};
		steps[action]();
	}

	/** Who goes through the matches of the selected row's note has chosen it. */
	private stepMatch(by: 1 | -1): void {
		if (this.options.reading?.().step(by)) this.pane.keepSelection();
	}

	/** Without search as you type, Enter first asks. */
	private isAhead(): boolean {
		return (
			!this.options.settings().asYouType &&
			this.state.query.trim() !== "" &&
			this.state.query !== this.state.answered
		);
	}

	private leave(): void {
		if (this.box.query === "" || this.options.onDone) this.options.onLeave();
		else this.box.setQuery("");
	}

	private openRow(row: Row, where: OpenIn): void {
		if (row.kind === "query") return this.box.setQuery(row.query);
		const place = placeOfRow(row);
		if (place) this.open(row.kind === "result" && row.isNamed ? wholeNote(place) : place, where);
	}

	private finish(step: () => void): void {
		this.history.add(this.state.query);
		step();
		this.options.onDone?.();
	}

	private walkHistory(step: 1 | -1): void {
		const query = this.history.neighbour(this.box.query, step);
		if (query !== null) this.box.setQuery(query);
	}
}
