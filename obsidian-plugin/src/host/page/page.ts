import { Client } from "../../api/client";
import { ApiError, asApiError } from "../../api/errors";
import type { ProfileReply } from "../../api/wire";
import { ClientsView } from "../../panel/clients/clientsView";
import { CredentialsView } from "../../panel/credentials/credentialsView";
import { SearchesView } from "../../panel/history/searchesView";
import { PanelDrawer } from "../../panel/notes/panelDrawer";
import { Reader } from "../../panel/notes/reader";
import { ReadingColumns } from "../../panel/notes/readingColumns";
import { nextStep } from "../../panel/profiles/nextStep";
import { ProfilesView } from "../../panel/profiles/profilesView";
import { AcceptedChanges } from "../../panel/review/acceptedChanges";
import { ReviewView } from "../../panel/review/reviewView";
import { SearchView } from "../../panel/search/searchView";
import { DEFAULT_SETTINGS } from "../../panel/settings";
import { Banner, type Message } from "../../panel/shared/banner";
import { h } from "../../panel/shared/dom";
import { emptyNotice, errorNotice } from "../../panel/shared/notice";
import { Connection } from "../../panel/status/connection";
import { StatusView } from "../../panel/status/statusView";
import { totalNotes } from "../../panel/status/words";
import { say, sayAround } from "../../words/say";
import { logo } from "./logo";
import { FetchTransport } from "./fetchTransport";
import { Navigation } from "./navigation";
import { PageHost } from "./pageHost";
import { BrowserKeyStore } from "./pageKey";
import { openSession, ticketIn } from "./session";
import { Shell } from "./shell";
import { speakAsReader } from "./words";

/** The screens that offer to choose a vault themselves where there is none. */
const OFFER_A_VAULT: readonly string[] = ["search", "profiles", "status"];

/** Bring the page up: open the session, then the screens. */
async function start(body: HTMLElement): Promise<void> {
	const ticket = ticketIn(window.location.hash);
	if (ticket !== null) window.history.replaceState(null, "", window.location.pathname);
	const words = speakAsReader(body.ownerDocument, window.navigator.languages);
	const transport = new FetchTransport();
	try {
		await Promise.all([openSession(transport, ticket, new BrowserKeyStore()), words]);
	} catch (error) {
		await words;
		body.append(closedDoor(asApiError(error).isUnreachable));
		return;
	}
	showScreens(body, new Client(transport));
}

function showScreens(body: HTMLElement, client: Client): void {
	const toasts = h("div", { class: "page-toasts", attrs: { role: "status", "aria-live": "polite" } });
	const host = new PageHost(toasts, window.navigator);
	const connection = new Connection(client);
	const shared = { client: () => client, host };
	const step = new Banner("page-step", "status", "sj-button sj-button-main");
	let told: readonly Message[] = [];
	let known: ProfileReply[] | null = null;
	/** While something keeps notes from being found, what a search tells stands behind that, in the same line. */
	const sayNextStep = (): void => {
		const { phase, status } = connection.current;
		const isOffered = known?.length === 0 && OFFER_A_VAULT.includes(shell.screen);
		const next = known && !isOffered && phase === "online" ? nextStep(known, status?.profiles ?? []) : null;
		const others = shell.screen === "search" ? told.filter(({ isOfLock }) => !isOfLock) : [];
		step.show(next ? [{ text: next.text, action: { label: next.label, act: () => void lead() } }, ...others] : []);
	};
	const search: SearchView = new SearchView({
		client,
		host,
		settings: () => DEFAULT_SETTINGS,
		reading: () => columns,
		reachedBy: [["/"], [host.isMac ? "⌘" : say("key.Ctrl"), "K"]],
		onAddress: () => navigation.moved(),
		onMessages: (messages) => {
			told = messages;
			sayNextStep();
		},
		onLeave: () => undefined,
	});
	const reader = new Reader({
		client: shared.client,
		action: { label: say("reader.openInObsidian"), act: (place) => search.open(place, "here") },
		drawer: ({ indexed }) => new PanelDrawer(shared.client, indexed?.profile ?? ""),
	});
	const columns: ReadingColumns = new ReadingColumns(search.element, reader, {
		storage: host.storage,
		looksFirst: true,
		onBack: () => search.focus(),
	});
	columns.element.classList.add("page-columns");
	const status = new StatusView({ ...shared, connection });
	const credentials = new CredentialsView(shared);
	const accepted = new AcceptedChanges({ ...shared, onDone: () => review.load() });
	const review: ReviewView = new ReviewView({ ...shared, accepted });
	const profiles = new ProfilesView({ ...shared, connection, onChange: () => void loadProfiles() });
	const clients = new ClientsView(shared);
	const searches = new SearchesView({
		...shared,
		onSearch: (query) => {
			shell.open("search");
			search.setQuery(query);
			navigation.moved();
		},
	});
	const shell = new Shell(
		[
			{ name: "search", title: say("screen.search"), element: columns.element, onShow: () => search.focus() },
			{
				name: "profiles",
				title: say("screen.profiles"),
				element: profiles.element,
				onShow: () => void profiles.load(),
			},
			{ name: "status", title: say("screen.status"), element: status.element, onShow: () => connection.retry() },
			{
				name: "credentials",
				title: say("screen.credentials"),
				element: credentials.element,
				onShow: () => void credentials.load(),
				onEnter: () => void credentials.enter(),
			},
			{
				name: "review",
				title: say("screen.review"),
				element: review.element,
				onShow: () => void review.load(),
				onEnter: () => void review.enter(),
			},
			{
				name: "searches",
				title: say("screen.searches"),
				element: searches.element,
				onShow: () => void searches.load(),
			},
			{
				name: "clients",
				title: say("screen.clients"),
				element: clients.element,
				onShow: () => void clients.load(),
			},
		],
		connection,
		() => {
			navigation.moved();
			sayNextStep();
		},
	);
	const navigation = new Navigation({
		window,
		current: () => ({ screen: shell.screen, search: search.address }),
		titleOf: (screen) => shell.titleOf(screen),
		show: (address) => {
			shell.open(address.screen);
			// Of another screen, an address says nothing of the search: it stays as it is.
			if (shell.screen === "search") search.go(address.search);
		},
	});
	body.append(shell.element, toasts);
	shell.element.querySelector("main")?.before(step.element);
	navigation.open();
	listenForSearchKeys(body, {
		search: () => {
			shell.open("search");
			navigation.moved();
		},
		keys: () => shell.screen === "search" && search.toggleKeys(),
	});
	const loadProfiles = async (): Promise<void> => {
		known = await client.ask("GET /v1/profiles").then(
			({ profiles }) => profiles,
			() => known,
		);
		if (known) search.setProfiles(known);
		sayNextStep();
	};
	const lead = async (): Promise<void> => {
		shell.open("profiles");
		navigation.moved();
		await profiles.load();
		profiles.begin();
	};
	host.chooseVault = () => void lead();
	host.read = () => {
		shell.open("search");
		columns.read();
	};
	connection.listen(sayNextStep);
	void loadProfiles();
	search.follow(connection);
	let notes = 0;
	connection.listen(({ status }) => {
		if (totalNotes(status) !== notes && shell.screen === "credentials") void credentials.load();
		if (totalNotes(status) !== notes && shell.screen === "review") void review.load();
		notes = totalNotes(status);
	});
	connection.hear((event) => {
		if (event === "pairing") host.notify(say("page.asksToBeLetIn"));
		if (event === "alarm") host.notify(say("page.ticketTwice"));
		if (event === "pairing" || event === "clients") void clients.load();
		if (event === "profiles" || event === "reset") void loadProfiles();
	});
	closeWhenLocked(body, connection);
	connection.start();
}

/** Control-K (or Command-K) anywhere, and "/" where nothing is typed, lead to the search box; "?" there shows the keys. */
function listenForSearchKeys(body: HTMLElement, { search, keys }: { search: () => void; keys: () => void }): void {
	body.ownerDocument.addEventListener("keydown", (event) => {
		const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
		const isMod = event.ctrlKey || event.metaKey;
		if (event.defaultPrevented || event.altKey || event.isComposing) return;
		if (event.key === "?" && !isMod && !isTyping) return keys();
		if (event.shiftKey || (isMod ? event.key !== "k" : event.key !== "/" || isTyping)) return;
		event.preventDefault();
		search();
	});
}

/** A session may be ended, or grow old; `scrubjay open` begins another. */
function closeWhenLocked(body: HTMLElement, connection: Connection): void {
	connection.listen(({ phase }) => {
		if (phase !== "unauthorized") return;
		connection.stop();
		body.replaceChildren(closedDoor(false));
	});
}

/** Without a session there is nothing to show but how to get one. */
function closedDoor(isUnreachable: boolean): HTMLElement {
	const notice = isUnreachable
		? errorNotice(ApiError.unreachable(), { label: say("do.retry"), act: () => window.location.reload() })
		: emptyNotice(
				"key",
				say("page.closed"),
				h("span", {}, ...sayAround("page.closed.detail", { command: h("code", { text: "scrubjay open" }) })),
			);
	return h("main", { class: "page-door" }, h("h1", { class: "page-name" }, logo(), "Scrubjay"), notice);
}

void start(window.document.body);
