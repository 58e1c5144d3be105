import "obsidian";

declare module "obsidian" {
	interface App {
		secretStorage: { getSecret(id: string): string | null; setSecret(id: string, secret: string): void };
	}
}
