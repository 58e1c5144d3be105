import { debounce, PluginSettingTab, requireApiVersion, Setting, type App, type SettingDefinitionItem } from "obsidian";
import type { Mode } from "../../api/words";
import { folderWords, shortWords } from "../../panel/status/words";
import type ScrubjayPlugin from "./main";

const MODES: Record<Mode, string> = { hybrid: "Words and meaning", lexical: "Words", semantic: "Meaning" };

/** The daemon is looked for once a folder is typed, not at every letter. */
const TYPING_MS = 700;

/** One row. `render` adds its controls and may return what to do when the row goes. */
interface Row {
	name: string;
	desc: string;
	render: (setting: Setting) => void | (() => void);
}

interface Section {
	heading: string;
	rows: Row[];
}

/**
 * Settings. What the daemon decides (profiles, folders) is shown here and changed there.
 *
 * The rows are told once: Obsidian 1.13 and newer reads them as definitions, which its search finds; older ones draw them.
 */
export class ScrubjaySettingTab extends PluginSettingTab {
	private cleanups: (() => void)[] = [];

	constructor(
		app: App,
		private readonly owner: ScrubjayPlugin,
	) {
		super(app, owner);
	}

	override getSettingDefinitions(): SettingDefinitionItem[] {
		return this.sections().map(({ heading, rows }) => ({ type: "group", heading, items: rows }));
	}

	override display(): void {
		this.hide();
		this.containerEl.empty();
		for (const { heading, rows } of this.sections()) {
			new Setting(this.containerEl).setName(heading).setHeading();
			for (const { name, desc, render } of rows) {
				const cleanup = render(new Setting(this.containerEl).setName(name).setDesc(desc));
				if (cleanup) this.cleanups.push(cleanup);
			}
		}
	}

	/** Show what is so now, where the tab is open: whether the vault is paired, and which profiles it sees. */
	refresh(): void {
		if (!this.containerEl.isConnected) return;
		if (requireApiVersion("1.13.0")) this.update();
		else this.display();
	}

	override hide(): void {
		for (const cleanup of this.cleanups) cleanup();
		this.cleanups = [];
	}

	private sections(): Section[] {
		return [
			{ heading: "Connection", rows: [this.state(), this.folder()] },
			{ heading: "Profiles", rows: this.profiles() },
			{ heading: "Searching", rows: [this.mode(), this.limit(), this.toggle("Search as you type", "Otherwise press enter.", "asYouType"), this.toggle("Jump to the match", "Otherwise notes open where you left them.", "jumpToMatch"), this.toggle("Preview under the pointer", "Shows a note of this vault as Obsidian previews links.", "preview")] },
			{ heading: "Privacy", rows: [this.toggle("Remember searches", "Searches that led to a note, on this device only. The daemon is told which note it was, if it keeps a history.", "keepHistory"), this.forget()] },
			{ heading: "Keys", rows: [{ name: "No hotkey is set for you", desc: "Choose one below hotkeys. Mod, shift and o together are free in a new installation.", render: () => undefined }] },
		];
	}

	private state(): Row {
		const { link } = this.owner;
		const render = (setting: Setting): (() => void) => {
			setting.addButton((button) => button.setButtonText(link.isPaired ? "Pair again" : "Pair").onClick(() => this.owner.pair()));
			if (link.isPaired) setting.addButton((button) => button.setButtonText("Forget").setTooltip("Forget the token of this vault").onClick(() => this.owner.forgetToken()));
			return link.connection.listen((state) => {
				setting.setDesc(`${shortWords(state).text}${state.status ? ` · version ${state.status.version}` : ""}`);
			});
		};
		return { name: "Daemon", desc: "Runs beside Obsidian and answers the searches.", render };
	}

	private folder(): Row {
		const { link } = this.owner;
		return {
			name: "Folder of the daemon",
			desc: "Leave empty unless the daemon keeps its files in a folder of its own. Kept on this device only.",
			render: (setting) => void setting.addText((text) => text.setPlaceholder("Default").setValue(link.root).onChange(debounce((value: string) => link.setRoot(value.trim()), TYPING_MS, true))),
		};
	}

	private profiles(): Row[] {
		const { profiles } = this.owner.link;
		const none = { name: "None in sight", desc: "Profiles of this vault appear here once the daemon runs and this vault is paired.", render: () => undefined };
		return profiles.length === 0 ? [none] : profiles.map((profile) => ({ name: profile.name, desc: `${folderWords(profile)} Change this in Scrubjay.`, render: () => undefined }));
	}

	private mode(): Row {
		return {
			name: "Search by",
			desc: "How a new search begins.",
			render: (setting) => void setting.addDropdown((dropdown) => dropdown.addOptions(MODES).setValue(this.owner.settings.mode).onChange((mode) => this.owner.changeSettings({ mode: mode as Mode }))),
		};
	}

	private limit(): Row {
		return {
			name: "Results at first",
			desc: "Scrolling brings more.",
			render: (setting) => void setting.addSlider((slider) => slider.setLimits(5, 50, 5).setDynamicTooltip().setValue(this.owner.settings.limit).onChange((limit) => this.owner.changeSettings({ limit }))),
		};
	}

	private forget(): Row {
		return {
			name: "Forget remembered searches",
			desc: "Nothing else is forgotten.",
			render: (setting) => void setting.addButton((button) => button.setButtonText("Forget").onClick(() => this.owner.forgetHistory())),
		};
	}

	private toggle(name: string, desc: string, key: "asYouType" | "jumpToMatch" | "preview" | "keepHistory"): Row {
		return {
			name,
			desc,
			render: (setting) => void setting.addToggle((toggle) => toggle.setValue(this.owner.settings[key]).onChange((value) => this.owner.changeSettings({ [key]: value }))),
		};
	}
}
