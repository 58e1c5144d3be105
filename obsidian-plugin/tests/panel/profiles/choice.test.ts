import { describe, expect, it } from "vitest";
import {
	isNothing,
	NOTHING,
	standingAround,
	standingOf,
	withStanding,
	type Choice,
	type Standing,
} from "../../../src/panel/profiles/choice";
import { nextStep } from "../../../src/panel/profiles/nextStep";
import type { ProfileReply } from "../../../src/api/wire";

const choice = (allow: string[], exclude: string[] = []): Choice => ({ allow, exclude });

describe("what of a vault may be read", () => {
	it.each<[string, Choice, string, Standing]>([
		["nothing is read unless it is allowed", NOTHING, "A", "unread"],
		["the whole vault is all folders", choice(["."]), "A/B", "read"],
		["a folder is all below it", choice(["A"]), "A/B/C", "read"],
		["and none beside it", choice(["A"]), "AB", "unread"],
		["an exclusion wins", choice(["."], ["A"]), "A/B", "never"],
		["also over a folder allowed in it", choice(["A/B"], ["A"]), "A/B", "never"],
	])("%s", (_, given, path, expected) => {
		expect(standingOf(given, path)).toBe(expected);
	});

	it.each<[string, Choice, string, Standing]>([
		["what is above it", choice(["."], ["A"]), "A", "read"],
		["nothing", choice(["B"], ["A"]), "A", "unread"],
	])("a folder that is left out no longer stands as %s says", (_, given, path, expected) => {
		const lifted = withStanding(given, path, standingAround(given, path));
		expect(standingOf(lifted, path)).toBe(expected);
	});

	it.each<[string, Choice, string, Standing, Choice]>([
		["a tick allows", NOTHING, "A", "read", choice(["A"])],
		["a tick taken back", choice(["A", "B"]), "A", "unread", choice(["B"])],
		["a tick says the same of all below", choice(["A/B"], ["A/C"]), "A", "read", choice(["A"])],
		[
			"what is read with its parent is left out by an exclusion",
			choice(["."]),
			"A",
			"unread",
			choice(["."], ["A"]),
		],
		["and comes back without a word of its own", choice(["."], ["A"]), "A", "read", choice(["."])],
		["never, and nothing below is said any more", choice(["A/B"]), "A", "never", choice([], ["A"])],
		["the whole vault", choice(["A"], ["B"]), ".", "read", choice(["."])],
		["nothing of the vault", choice(["."], ["B"]), ".", "unread", NOTHING],
	])("%s", (_, given, path, standing, expected) => {
		expect(withStanding(given, path, standing)).toEqual(expected);
	});

	it("gives a folder the standing that was chosen, whatever was chosen before", () => {
		const paths = [".", "A", "A/B", "A/B/C", "AB", "D"];
		let seed = 7;
		const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
		let now: Choice = NOTHING;
		for (let step = 0; step < 3_000; step++) {
			const path = paths[random(paths.length)] ?? ".";
			const isBarred = standingOf(now, path) === "never" && !now.exclude.includes(path);
			const standing: Standing = random(2) ? "read" : "never";
			if (isBarred || (path === "." && standing === "never")) continue;
			now = withStanding(now, path, standing);
			expect(standingOf(now, path)).toBe(standing);
		}
	});

	it("is nothing without a folder that is allowed", () => {
		expect([isNothing(NOTHING), isNothing(choice([], ["A"])), isNothing(choice(["."]))]).toEqual([
			true,
			true,
			false,
		]);
	});
});

describe("the one thing to do next", () => {
	const profile = (name: string, allow: string[], locked = false): ProfileReply => ({
		id: name,
		name,
		colour: "#000000",
		vaults: [{ id: "v", name: "V", allow, exclude: [], inbox: "", root: "/v", own: false }],
		federate: true,
		encrypted: false,
		model: "bundled",
		locked,
		files: {},
		protection: "none",
		filter_groups: [],
		server: "",
		folders_revision: "",
	});

	it.each([
		["choose a vault", [], [], "Choose a vault"],
		["choose folders", [profile("a", [])], [], "Choose folders"],
		["nothing while one profile is searched", [profile("a", []), profile("b", ["."])], [], null],
		["unlock", [profile("a", ["."], true)], [], "Unlock"],
		[
			"unlock what the daemon says is locked",
			[profile("a", ["."])],
			[{ id: "a", state: "locked" as const }],
			"Unlock",
		],
		["nothing", [profile("a", ["."])], [{ id: "a", state: "idle" as const }], null],
	])("%s", (_, profiles, states, label) => {
		expect(nextStep(profiles, states)?.label ?? null).toBe(label);
	});
});
