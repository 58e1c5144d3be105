import type { Setting } from "obsidian";

declare module "obsidian" {
	interface Plugin {
		settings?: unknown;
	}
	interface PluginSettingTab {
		getSettingDefinitions(): SettingDefinitionItem[];
		update(): void;
	}
	interface SettingDefinitionItem {
		type: "group";
		heading: string;
		items: { name: string; desc: string; render: (setting: Setting) => void | (() => void) }[];
	}
}
