// Drives a Scrubjay MCP server with the client of another SDK, and prints what that client made of it as JSON.
// argv: how the client is made (a key of CLIENTS), the server: {"url", "token"} or {"command", "args", "env"}, and calls of
// tools: [[name, arguments], …].
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";

const [, , how, given, calls] = process.argv;
const server = JSON.parse(given);
const headers = server.token ? { Authorization: `Bearer ${server.token}` } : {};
const program = { command: server.command, args: server.args, env: server.env };

async function typescript(options) {
	const client = new Client({ name: "test", version: "1" }, options);
	const transport = server.url
		? new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } })
		: new StdioClientTransport(program);
	await client.connect(transport);
	return {
		version: client.getNegotiatedProtocolVersion(),
		listTools: () => client.listTools(),
		callTool: (name, args, progress) => client.callTool({ name, arguments: args }, { onprogress: progress }),
		readResource: (uri) => client.readResource({ uri }),
		listPrompts: () => client.listPrompts(),
		getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
		close: () => client.close(),
	};
}

async function vercel(discovers) {
	const transport = server.url
		? { type: "http", url: server.url, headers }
		: new Experimental_StdioMCPTransport(program);
	const client = await createMCPClient({ transport, protocolVersionDiscovery: discovers });
	return {
		version: client.initializeResult.protocolVersion,
		listTools: () => client.listTools(),
		callTool: (name, args) => client.callTool({ name, arguments: args }),
		readResource: (uri) => client.readResource({ uri }),
		listPrompts: () => client.listPrompts(),
		getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
		close: () => client.close(),
	};
}

const CLIENTS = {
	"typescript-2026-07-28": () => typescript({ versionNegotiation: { mode: { pin: "2026-07-28" } } }),
	"typescript-2025-11-25": () => typescript({ versionNegotiation: { mode: "legacy" } }),
	"typescript-2025-06-18": () => typescript({ supportedProtocolVersions: ["2025-06-18"] }),
	"vercel-discovers": () => vercel(true),
	"vercel-initializes": () => vercel(false),
};

const client = await CLIENTS[how]();
const found = await client.callTool("search", { query: "ferry island nine" });
const link = found.content.find((part) => part.type === "resource_link");
const seen = {
	version: client.version,
	tools: (await client.listTools()).tools.map((tool) => tool.name),
	found,
	read: await client.readResource(link.uri),
	prompts: (await client.listPrompts()).prompts.map((prompt) => prompt.name),
	filled: await client.getPrompt("find", { what: "eels" }),
	refused: await client.callTool("search", { query: "x", vault: "sesame" }),
	unknown: await client.callTool("no-such-tool", {}).catch((error) => ({ thrown: String(error) })),
};
seen.answers = [];
for (const [name, args] of JSON.parse(calls)) seen.answers.push(await client.callTool(name, args));
await client.close();
console.log(JSON.stringify(seen));
