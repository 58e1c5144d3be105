import "obsidian";

declare module "obsidian" {
	interface Plugin {
		registerCliHandler(
			command: string,
			description: string,
			flags: Record<string, { value?: string; description: string; required?: boolean }> | null,
			handler: (given: Readonly<Record<string, string>>) => string | Promise<string>,
		): void;
	}
}
