import type { Component, TFile } from "obsidian";

declare module "obsidian" {
	interface Plugin {
		registerBasesView(
			id: string,
			registration: {
				name: string;
				icon: string;
				factory: (controller: QueryController, container: HTMLElement) => BasesView;
				options: () => { type: "text"; key: string; displayName: string }[];
			},
		): boolean;
	}
	class QueryController extends Component {}
	abstract class BasesView extends Component {
		abstract type: string;
		app: App;
		config: { get(key: string): unknown };
		data: { data: readonly { file: TFile }[] };
		protected constructor(controller: QueryController);
		abstract onDataUpdated(): void;
	}
}
