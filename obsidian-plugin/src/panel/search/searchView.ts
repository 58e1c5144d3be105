import type { Client } from "../../api/client";
import type { ProfileReply, SearchAsk, SearchResponse, SearchResult } from "../../api/wire";
import { copyText, wholeNote, type Host, type OpenIn, type Place } from "../host";
import type { CardContext } from "../results/card";
import { GraphView } from "../graph/graphView";
import { ResultPane, resultOf } from "../results/resultPane";
import { placeOfRow, type Row } from "../results/rows";
import type { PanelSettings } from "../settings";
import { fill, h } from "../shared/dom";
import { EmptyState } from "./emptyState";
import { FacetBar } from "./facetBar";
import { hintBar } from "./hintBar";
import { QueryHistory } from "./history";
import { actionOf, placeOfClick, type Action } from "./keys";
import { answerNotice, summaryOf } from "./notices";
import { ScopeBar, type Scope } from "./scopeBar";
import { SearchBox } from "./searchBox";
import { SearchSession, type SessionState } from "./session";
import { Unfolding } from "./unfolding";

/** What a search view shows, to be come back to. */
export interface SearchAddress extends Scope {
	query: string;
}

export interface SearchViewOptions {
	client: Client;
	host: Host;
	settings: () => PanelSettings;
	/** The note in the editor, for the related notes of an empty box. */
	activeNote?: () => { vault: string; path: string } | null;
	/** The user searches for something else, or elsewhere. */
	onAddress?: (address: SearchAddress) => void;
	/** Escape in an empty box. */
	onLeave: () => void;
	/** A note was opened, a link inserted or a note made. */
	onDone?: () => void;
}

/** The search panel: box, scope, results, hints. */
export class SearchView {
	readonly element = h("div", { class: "sj-search" });
	private readonly box: SearchBox;
	private readonly scopeBar: ScopeBar;
	private readonly facets = new FacetBar((query) => this.setQuery(query));
	private readonly pane: ResultPane;
	private readonly session: SearchSession;
	private readonly unfolding: Unfolding;
	private readonly empty: EmptyState;
	private readonly history: QueryHistory;
	private readonly graph: GraphView;
	private readonly summary = h("div", { class: "sj-summary", attrs: { role: "status", "aria-live": "polite" } });
	private readonly message = h("div", { class: "sj-message" });
	private profiles: readonly ProfileReply[] = [];
	private scope: Scope;
	private state: SessionState = { query: "", response: null, answered: "", error: null, busy: false };
	private shown: { response: SearchResponse | null; answered: string } = { response: null, answered: "" };

	constructor(private readonly options: SearchViewOptions) {
		const { client, host, settings } = options;
		this.history = new QueryHistory(host.storage, () => settings().keepHistory);
		this.unfolding = new Unfolding(client, () => this.drawResults(true));
		this.pane = new ResultPane({
			label: "Results",
			host,
			context: () => this.context(),
			onOpen: (row, event) => this.openRow(row, placeOfClick(event, host.isMac)),
			onSelect: (row, id) => this.selected(row, id),
			onEnd: () => this.session.more(),
			onKey: (event) => this.pressed(event),
		});
		this.scope = { profiles: undefined, mode: settings().mode, sort: "relevance" };
		this.session = new SearchSession((request) => client.search(request), settings, this.scope, (state) => this.update(state));
		this.scopeBar = new ScopeBar(this.scope, (scope) => this.narrow(scope));
		this.box = new SearchBox({
			placeholder: "Search your notes…",
			controls: this.pane.id,
			suggest: (kind, prefix) => client.suggest(kind, prefix).catch(() => null),
			profiles: () => this.profiles.map(({ name }) => name),
			onInput: (query) => this.typed(query),
			onKey: (event) => this.pressed(event),
		});
		this.empty = new EmptyState({ client, history: this.history, ...(options.activeNote ? { activeNote: options.activeNote } : {}), onFilter: (filter) => this.box.addFilter(filter), onChange: () => this.drawEmpty() });
		this.graph = new GraphView({
			client: () => client,
			host,
			colourOf: (name) => this.profiles.find((profile) => profile.name === name)?.colour,
			open: (place, where) => this.open(place, where),
			onClose: () => this.leaveGraph(),
		});
		this.graph.element.hidden = true;
		this.element.append(this.box.element, this.scopeBar.element, this.empty.filters, this.facets.element, this.message, this.pane.element, hintBar(host.isMac, (action) => this.can(action)), this.graph.element);
		this.scopeBar.element.append(this.summary);
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

	get address(): SearchAddress {
		return { query: this.box.query, ...this.scope };
	}

	/** Show what was shown before, or elsewhere. The focus stays where it is. */
	go({ query, ...scope }: SearchAddress): void {
		this.scope = scope;
		this.scopeBar.show(scope);
		this.box.replace(query);
		this.session.go(query, scope);
	}

	setProfiles(profiles: readonly ProfileReply[]): void {
		this.profiles = profiles;
		this.scopeBar.setProfiles(profiles);
		if (this.state.query.trim() === "") this.drawEmpty();
		else this.drawResults(true);
	}

	/** Open a note that this search led to. The daemon learns of it if the note is one of the results. */
	open(place: Place, where: OpenIn): void {
		const { host, settings } = this.options;
		this.tellOpened(place);
		this.finish(() => host.open(settings().jumpToMatch ? place : wholeNote(place), where));
	}

	/** Close what is open on top of the results: completions, or the picture of links. Says whether anything was. */
	stepBack(): boolean {
		return this.box.dismiss() || this.leaveGraph();
	}

	private leaveGraph(): boolean {
		if (this.graph.element.hidden) return false;
		this.graph.forget();
		this.graph.element.hidden = true;
		this.element.classList.remove("shows-graph");
		this.box.input.focus();
		return true;
	}

	/** The connection came back or the index changed: bring what is shown up to date. */
	refresh(): void {
		if (this.state.query.trim() === "") void this.empty.load();
		else this.session.refresh();
	}

	dispose(): void {
		this.session.dispose();
		this.pane.dispose();
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
		if (state.query !== this.state.query) this.leaveGraph();
		this.state = state;
		this.element.classList.toggle("is-busy", state.busy);
		if (state.query.trim() === "") {
			this.shown = { response: null, answered: "" };
			this.drawEmpty();
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
		this.drawMessage();
	}

	private drawEmpty(): void {
		if (this.state.query.trim() !== "") return;
		this.empty.filters.hidden = false;
		this.summary.textContent = "";
		this.count("", null);
		fill(this.message, this.empty.notice());
		this.pane.set(this.empty.rows(), false);
	}

	private drawResults(keep: boolean): void {
		const response = this.state.response;
		if (!response) return;
		this.pane.set(this.unfolding.rows(response.results), keep);
		this.summary.textContent = summaryOf(response);
		this.count(this.state.answered, response);
	}

	private count(query: string, response: SearchResponse | null): void {
		this.facets.show(query, response);
		if (response === null || response.facets.length > 0) this.scopeBar.count(response?.facets.find(({ name }) => name === "profile"));
	}

	private drawMessage(): void {
		const notice = answerNotice(this.state, {
			create: this.options.host.createNote ? () => this.act("create") : undefined,
			retry: () => this.session.again(),
			takeAsTyped: () => this.session.takeAsTyped(),
			search: (query) => this.setQuery(query),
			widen: this.scope.mode === "hybrid" ? undefined : () => this.scopeBar.choose({ mode: "hybrid" }),
		});
		if ((notice?.textContent ?? "") !== this.message.textContent) fill(this.message, notice);
		const { error, query, answered } = this.state;
		if (!error || query === answered) return;
		this.summary.textContent = "";
		this.pane.set([], false);
	}

	private context(): CardContext {
		return {
			now: new Date(),
			colours: new Map(this.profiles.map(({ name, colour }) => [name, colour])),
			showProfile: this.profiles.length > 1,
			actions: { unfold: (row) => this.unfold(row), explain: (row) => this.explain(row), graph: (row) => this.showGraph(row) },
		};
	}

	private selected(row: Row | null, id: string | null): void {
		this.box.showActive(id);
		this.options.host.selected?.(row && placeOfRow(row));
	}

	private pressed(event: KeyboardEvent): void {
		const action = actionOf(event, this.options.host.isMac);
		if (action === null || !this.can(action)) return;
		if (action === "copy-link" && hasSelection(this.box.input)) return;
		event.preventDefault();
		event.stopPropagation();
		this.act(action);
	}

	private can(action: Action): boolean {
		const { host } = this.options;
		if (action === "insert-link") return host.insertLink !== undefined;
		if (action === "create") return host.createNote !== undefined;
		return true;
	}

	private act(action: Action): void {
		const { host } = this.options;
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
			"copy-link": () => place && copyText(host, "link", host.linkTo(place)),
			unfold: () => row && this.unfold(row),
			why: () => row && this.explain(row),
			graph: () => row && this.showGraph(row),
			"older-query": () => this.walkHistory(1),
			"newer-query": () => this.walkHistory(-1),
			leave: () => (this.box.query === "" ? this.options.onLeave() : this.leave()),
		};
		steps[action]();
	}

	/** Without search as you type, Enter first asks. */
	private isAhead(): boolean {
		return !this.options.settings().asYouType && this.state.query.trim() !== "" && this.state.query !== this.state.answered;
	}

	private leave(): void {
		if (this.options.onDone) this.options.onLeave();
		else this.box.setQuery("");
	}

	private openRow(row: Row, where: OpenIn): void {
		if (row.kind === "query") return this.box.setQuery(row.query);
		const place = placeOfRow(row);
		if (place) this.open(place, where);
	}

	/** Nobody waits for it, and a history that cannot be written is no trouble of who reads. */
	private tellOpened({ indexed, path }: Place): void {
		const { client, settings } = this.options;
		const { response, answered } = this.state;
		const isResult = response?.results.some((result) => result.profile === indexed?.profile && result.path === path);
		if (indexed && isResult && settings().keepHistory) client.opened(indexed.profile, answered, path).catch(() => undefined);
	}

	private finish(step: () => void): void {
		this.history.add(this.state.query);
		step();
		this.options.onDone?.();
	}

	private unfold(row: Row): void {
		this.withRequest(row, async (result, request) => {
			const others = await this.unfolding.togglePassages(result, request);
			if (others === 0) this.options.host.notify("No other passage of this note matches");
		});
	}

	private explain(row: Row): void {
		this.withRequest(row, (result, request) => this.unfolding.toggleReasons(result, request));
	}

	private showGraph(row: Row): void {
		const place = placeOfRow(row);
		if (!place) return;
		this.graph.element.hidden = false;
		this.element.classList.add("shows-graph");
		void this.graph.show(place);
	}

	private withRequest(row: Row, step: (result: SearchResult, request: SearchAsk) => Promise<void>): void {
		const result = resultOf(row);
		if (!result) return;
		step(result, this.session.request()).catch(() => this.options.host.notify("The daemon did not answer"));
	}

	private walkHistory(step: 1 | -1): void {
		const query = this.history.neighbour(this.box.query, step);
		if (query !== null) this.box.setQuery(query);
	}
}

function hasSelection(input: HTMLInputElement): boolean {
	return input.selectionStart !== input.selectionEnd;
}
