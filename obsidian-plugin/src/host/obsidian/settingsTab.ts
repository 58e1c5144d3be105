import { debounce, PluginSettingTab, requireApiVersion, Setting, type App, type SettingDefinitionItem } from "obsidian";
import type { Mode } from "../../api/words";
import { grouped } from "../../panel/shared/format";
import type { Switch } from "../../panel/settings";
import { folderWords, shortWords, versionWords } from "../../panel/status/words";
import { say } from "../../words/say";
import type { PanelPlugin } from "./panelPlugin";

/** A list and no slider: before 1.13 Obsidian shows the value of a slider only by what is deprecated since. */
const LIMITS = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50] as const;

const MODES = ["hybrid", "lexical", "semantic"] as const satisfies readonly Mode[];

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
		private readonly owner: PanelPlugin,
	) {
		super(app, owner);
	}

	override getSettingDefinitions(): SettingDefinitionItem[] {
		return this.sections().map(({ heading, rows }) => ({ type: "group", heading, items: rows }));
	}

	override display(): void {
		this.draw();
	}

	private draw(): void {
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
		else this.draw();
	}

	override hide(): void {
		super.hide();
		for (const cleanup of this.cleanups) cleanup();
		this.cleanups = [];
	}

	private sections(): Section[] {
		return [
			{ heading: say("settings.connection"), rows: [this.state(), this.folder()] },
			{ heading: say("settings.profiles"), rows: this.profiles() },
			{
				heading: say("settings.searching"),
				rows: [
					this.mode(),
					this.limit(),
					this.toggle(say("settings.asYouType"), say("settings.asYouType.detail"), "asYouType"),
					this.toggle(say("settings.jump"), say("settings.jump.detail"), "jumpToMatch"),
					this.toggle(say("settings.preview"), say("settings.preview.detail"), "preview"),
					this.toggle(say("settings.suggest"), say("settings.suggest.detail"), "suggestLinks"),
					this.toggle(say("settings.below"), say("settings.below.detail"), "relatedBelow"),
				],
			},
			{
				heading: say("settings.privacy"),
				rows: [
					this.toggle(say("settings.remember"), say("settings.remember.detail"), "keepHistory"),
					this.forget(),
				],
			},
		];
	}

	private state(): Row {
		const { link } = this.owner;
		const render = (setting: Setting): (() => void) => {
			setting.addButton((button) =>
				button
					.setButtonText(say(link.isPaired ? "settings.pairAgain" : "do.pair"))
					.onClick(() => this.owner.pair()),
			);
			if (link.isPaired)
				setting.addButton((button) =>
					button
						.setButtonText(say("settings.forget"))
						.setTooltip(say("settings.forget.detail"))
						.onClick(() => this.owner.forgetToken()),
				);
			return link.connection.listen((state) => {
				const status = shortWords(state).text;
				const version = state.status?.version;
				setting.setDesc(
					version === undefined
						? status
						: `${say("settings.version", { status, version })} ${versionWords(this.owner.manifest.version, version)}`.trim(),
				);
			});
		};
		return { name: say("settings.daemon"), desc: say("settings.daemon.detail"), render };
	}

	private folder(): Row {
		const { link } = this.owner;
		return {
			name: say("settings.folder"),
			desc: say("settings.folder.detail"),
			render: (setting) =>
				void setting.addText((text) =>
					text
						.setPlaceholder(say("settings.folder.default"))
						.setValue(link.root)
						.onChange(debounce((value: string) => link.setRoot(value.trim()), TYPING_MS, true)),
				),
		};
	}

	private profiles(): Row[] {
		const { profiles } = this.owner.link;
		const none = { name: say("settings.none"), desc: say("settings.none.detail"), render: () => undefined };
		return profiles.length === 0
			? [none]
			: profiles.map((profile) => ({
					name: profile.name,
					desc: say("settings.changeElsewhere", { folders: folderWords(profile) }),
					render: () => undefined,
				}));
	}

	private mode(): Row {
		return {
			name: say("scope.modes"),
			desc: say("settings.mode.detail"),
			render: (setting) =>
				void setting.addDropdown((dropdown) =>
					dropdown
						.addOptions(Object.fromEntries(MODES.map((mode) => [mode, say(`mode.${mode}.about`)])))
						.setValue(this.owner.settings.mode)
						.onChange((mode) => this.owner.changeSettings({ mode: mode as Mode })),
				),
		};
	}

	private limit(): Row {
		return {
			name: say("settings.limit"),
			desc: say("settings.limit.detail"),
			render: (setting) =>
				void setting.addDropdown((dropdown) => {
					for (const count of new Set([...LIMITS, this.owner.settings.limit]))
						dropdown.addOption(String(count), grouped(count));
					dropdown
						.setValue(String(this.owner.settings.limit))
						.onChange((count) => this.owner.changeSettings({ limit: Number(count) }));
				}),
		};
	}

	private forget(): Row {
		return {
			name: say("settings.forgetSearches"),
			desc: say("settings.forgetSearches.detail"),
			render: (setting) =>
				void setting.addButton((button) =>
					button.setButtonText(say("settings.forget")).onClick(() => this.owner.forgetHistory()),
				),
		};
	}

	private toggle(name: string, desc: string, key: Switch): Row {
		return {
			name,
			desc,
			render: (setting) =>
				void setting.addToggle((toggle) =>
					toggle
						.setValue(this.owner.settings[key])
						.onChange((value) => this.owner.changeSettings({ [key]: value })),
				),
		};
	}
}
