import { Client } from "../../api/client";
import { ApiError, asApiError } from "../../api/errors";
import type { ProfileReply } from "../../api/wire";
import { ClientsView } from "../../panel/clients/clientsView";
import { CredentialsView } from "../../panel/credentials/credentialsView";
import { SearchesView } from "../../panel/history/searchesView";
import { Reader } from "../../panel/notes/reader";
import { nextStep } from "../../panel/profiles/nextStep";
import { ProfilesView } from "../../panel/profiles/profilesView";
import { SearchView } from "../../panel/search/searchView";
import { DEFAULT_SETTINGS } from "../../panel/settings";
import { fill, h } from "../../panel/shared/dom";
import { button, emptyNotice, errorNotice } from "../../panel/shared/notice";
import { Connection } from "../../panel/status/connection";
import { StatusView } from "../../panel/status/statusView";
import { logo } from "./logo";
import { FetchTransport } from "./fetchTransport";
import { Navigation } from "./navigation";
import { PageHost } from "./pageHost";
import { BrowserKeyStore } from "./pageKey";
import { openSession, ticketIn } from "./session";
import { Shell } from "./shell";

/** Bring the page up: open the session, then the screens. */
async function start(body: HTMLElement): Promise<void> {
	const ticket = ticketIn(window.location.hash);
	if (ticket !== null) window.history.replaceState(null, "", window.location.pathname);
	const transport = new FetchTransport();
	try {
		await openSession(transport, ticket, new BrowserKeyStore());
	} catch (error) {
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
	const search = new SearchView({ client, host, settings: () => DEFAULT_SETTINGS, onAddress: () => navigation.moved(), onLeave: () => undefined });
	const reader = new Reader(shared.client, { label: "Open in Obsidian", act: (place) => search.open(place, "here") });
	const status = new StatusView({ ...shared, connection });
	const credentials = new CredentialsView(shared);
	const profiles = new ProfilesView({ ...shared, connection, onChange: () => void loadProfiles() });
	const clients = new ClientsView(shared);
	const searches = new SearchesView({
		client: shared.client,
		onSearch: (query) => {
			shell.open("search");
			search.setQuery(query);
			navigation.moved();
		},
	});
	host.onSelected = (place) => reader.show(place);
	const columns = h("div", { class: "page-columns" }, search.element, reader.element);
	const shell = new Shell(
		[
			{ name: "search", title: "Search", element: columns, onShow: () => search.focus() },
			{ name: "profiles", title: "Profiles", element: profiles.element, onShow: () => void profiles.load() },
			{ name: "status", title: "Status", element: status.element, onShow: () => connection.retry() },
			{ name: "credentials", title: "Credentials", element: credentials.element, onShow: () => void credentials.load() },
			{ name: "searches", title: "History", element: searches.element, onShow: () => void searches.load() },
			{ name: "clients", title: "Clients", element: clients.element, onShow: () => void clients.load() },
		],
		connection,
		() => navigation.moved(),
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
	const step = h("div", { class: "page-step", attrs: { role: "status" } });
	body.append(shell.element, toasts);
	shell.element.querySelector("main")?.before(step);
	navigation.open();
	listenForSearchKeys(body, () => {
		shell.open("search");
		navigation.moved();
	});
	let known: ProfileReply[] | null = null;
	const loadProfiles = async (): Promise<void> => {
		known = await client.profiles().catch(() => known);
		if (known) search.setProfiles(known);
		sayNextStep();
	};
	const sayNextStep = (): void => {
		const next = known && connection.current.phase === "online" ? nextStep(known, connection.current.status?.profiles ?? []) : null;
		const lead = async (): Promise<void> => {
			shell.open("profiles");
			navigation.moved();
			await profiles.load();
			profiles.begin();
		};
		const isSaid = step.textContent === `${next?.text ?? ""}${next?.label ?? ""}`;
		if (!isSaid) fill(step, next && h("span", { text: next.text }), next && button({ label: next.label, act: () => void lead() }));
	};
	connection.listen(sayNextStep);
	void loadProfiles();
	connection.onReturn(() => search.refresh());
	connection.hear((event) => {
		if (event === "pairing") host.notify("A program asks to be let in: see Clients");
		if (event === "alarm") host.notify("A ticket of the search page was used twice: see Status");
		if (event === "pairing" || event === "clients") void clients.load();
		if (event === "profiles" || event === "reset") void loadProfiles();
	});
	closeWhenLocked(body, connection);
	connection.start();
}

/** Control-K (or Command-K) anywhere, and "/" where nothing is typed, lead to the search box. */
function listenForSearchKeys(body: HTMLElement, search: () => void): void {
	body.ownerDocument.addEventListener("keydown", (event) => {
		const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
		const isMod = event.ctrlKey || event.metaKey;
		if (event.altKey || event.shiftKey || event.isComposing) return;
		if (isMod ? event.key !== "k" : event.key !== "/" || isTyping) return;
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
		? errorNotice(ApiError.unreachable(), { label: "Try again", act: () => window.location.reload() })
		: emptyNotice("key", "Open this page again from Scrubjay", h("span", {}, "Run ", h("code", { text: "scrubjay open" }), " or choose Search in the tray's menu. This browser is let in until it has not been used for two weeks."));
	return h("main", { class: "page-door" }, h("h1", { class: "page-name" }, logo(), "Scrubjay"), notice);
}

void start(window.document.body);
