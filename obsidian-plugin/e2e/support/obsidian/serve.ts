import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { request, type Page } from "playwright-core";
import type { Frame, VaultOnDisk } from "./app";

const PLUGIN_FILES = join(import.meta.dirname, "../../../../daemon/cli/plugin_files");
/** Secure, as the app's own origin is; nothing is ever asked of it outside this machine. */
const ORIGIN = "https://obsidian.invalid";

let bundled: Promise<string> | undefined;

/** The frame with the shipped plugin in it, as one script: made once for all pages of a test file. */
async function bundle(): Promise<string> {
	const here = (name: string): string => join(import.meta.dirname, name);
	const made = await build({
		entryPoints: [here("app.ts")],
		bundle: true,
		write: false,
		format: "iife",
		logLevel: "error",
		alias: {
			obsidian: here("api.ts"),
			"shipped-plugin": join(PLUGIN_FILES, "main.js"),
			"fs/promises": here("node.ts"),
			os: here("node.ts"),
		},
	});
	return made.outputFiles[0]?.text ?? "";
}

/** Bring the shipped bundle up in a page, in this vault, beside the daemon that lives in `home`. */
export async function openObsidian(page: Page, home: string, vault: VaultOnDisk): Promise<void> {
	const script = await (bundled ??= bundle());
	const styles = `${await readFile(join(import.meta.dirname, "frame.css"), "utf8")}\n${await readFile(join(PLUGIN_FILES, "styles.css"), "utf8")}`;
	const parts: Record<string, [type: string, body: string]> = {
		"/": [
			"text/html",
			'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Obsidian</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/styles.css"></head><body><script src="/app.js"></script></body></html>',
		],
		"/styles.css": ["text/css", styles],
		"/app.js": ["text/javascript", script],
	};
	await page.route(`${ORIGIN}/**`, (route) => {
		const path = new URL(route.request().url()).pathname;
		const [contentType, body] = parts[path] ?? ["text/plain", ""];
		return route.fulfill({ contentType, body });
	});
	await page.exposeFunction("bridgeReadFile", (path: string) => readFile(path, "utf8"));
	await page.exposeFunction("bridgeRequest", bridgeRequest);
	await page.goto(`${ORIGIN}/`);
	await page.evaluate(([given, root]) => (window as unknown as { frame: Frame }).frame.start(given, root), [
		vault,
		home,
	] as const);
}

interface UrlRequest {
	url: string;
	method?: string;
	headers?: Record<string, string>;
	contentType?: string;
	body?: string;
}

async function bridgeRequest({
	url,
	method = "GET",
	headers = {},
	contentType,
	body,
}: UrlRequest): Promise<{ status: number; text: string }> {
	const http = await request.newContext();
	try {
		const reply = await http.fetch(url, {
			method,
			headers: { ...headers, ...(contentType ? { "Content-Type": contentType } : {}) },
			...(body === undefined ? {} : { data: Buffer.from(body) }),
		});
		return { status: reply.status(), text: await reply.text() };
	} finally {
		await http.dispose();
	}
}
