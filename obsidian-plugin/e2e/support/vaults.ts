/** Looks like a token and is none: put together here, so that no scanner finds it in the repository. */
const FAKE_TOKEN = ["ghp", "Zx81Qm4TtY7uWc2LpR9sKd6VbN3hJf5Ga0Ee"].join("_");

const NOTES = {
	"Runbooks/Rolling back a deploy.md": `---
tags: [runbook, deploy]
---
# Rolling back a deploy

When a release misbehaves, go back first and ask questions later.

## Steps

1. Freeze the pipeline, so that nobody ships on top of the broken release.
2. Run the rollback job with the version before. It keeps the database as it is.
3. Watch the error rate for ten minutes.

${"The rollback job asks for the version to go back to. Take the last one that ran for a day without an alarm, not simply the one before: two bad releases in a row are more common than one would like. ".repeat(3)}

## If the schema changed

A rollback never undoes a migration. Ship a forward fix instead, or restore the snapshot: see [[Restoring a backup]].

${"Whoever wrote the migration joins the call, since only they know which columns the old code still reads. Nobody runs a migration backwards by hand while customers are waiting. ".repeat(3)}

## Access

The job wants a token: ${FAKE_TOKEN}
`,
	"Runbooks/Restoring a backup.md": `---
tags: [runbook, database]
---
# Restoring a backup

Restore the newest dump into a scratch database, run the checks, then swap. Note how long each step took.

## Rollback of the restore

Keep the old database for a day. To roll back, point the connection string at it again.
`,
	"Meetings/Release retro.md": `---
tags: [meeting]
---
# Release retro

We lost an hour because nobody knew who decides about a rollback. The person on call decides, alone.

## Decisions

- The person on call may roll back without asking.
- Every rollback gets a short note the same day.
`,
	"Ideas/Feature flags.md":
		"# Feature flags\n\nIf every risky change sits behind a flag, turning it off replaces most rollbacks. Flags need an owner and a date on which they go.\n",
};

/** A small vault of somebody at work, with a planted fake credential. */
export const WORK_VAULT: Record<string, string> = NOTES;
export const WORK_SECRET = FAKE_TOKEN;

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];

/** Sixty notes of one kind, more than a page of results, in two folders and with two tags; and three of another. */
export const LOG_VAULT: Record<string, string> = {
	...Object.fromEntries(
		Array.from({ length: 60 }, (_, index) => {
			const folder = index % 4 === 0 ? "Log/Sea" : "Log/Land";
			const body = `# Watch ${index}\n\nThe lantern burned all night. Keeper ${index} wrote the ${WEEKDAYS[index % 5]} entry.\n`;
			return [
				`${folder}/Watch ${String(index).padStart(2, "0")}.md`,
				`---\ntags: [${index % 3 === 0 ? "storm" : "calm"}]\n---\n${body}`,
			];
		}),
	),
	"Repairs/Lantern glass.md":
		"# Lantern glass\n\nThe lantern's glass cracked. A new pane comes from the harbour.\n\n## Steps\n\nClean the frame first, see [[Frame]].\n",
	"Repairs/Frame.md": "# Frame\n\nThe frame is brass and wants polish. It belongs to the [[Lantern glass]].\n",
	"Repairs/Fog horn.md":
		"# Fog horn\n\nThe fog horn is tested on the first Monday of each month. The keeper on duty presses the red lever for ten seconds.\n",
	"Kitchen/Bread.md": "# Bread\n\nA wetter dough ferments faster. Bread proves overnight in the cold.\n",
};

/** Notes in other scripts, and one with a long name. The Arabic one is the best by far, whatever the processor makes of the vectors' last digits. */
export const SCRIPT_NOTES: Record<string, string> = {
	"Arabic.md":
		"# \u0645\u0644\u0627\u062d\u0638\u0629\n\n\u0627\u0644\u0641\u0627\u0646\u0648\u0633 \u064a\u0636\u064a\u0621 \u0644\u064a\u0644\u0627. lighthouse lighthouse\n",
	"Chinese.md":
		"# \u52a8\u6001\u89c4\u5212\n\n\u52a8\u6001\u89c4\u5212\u662f\u4e00\u79cd\u7b97\u6cd5\u3002\u5b83\u628a\u95ee\u9898\u5206\u6210\u5c0f\u95ee\u9898\u3002 lighthouse\n",
	"A very long name.md": `# ${"A very long title that goes on ".repeat(10)}\n\nlighthouse ${"unbroken".repeat(40)}\n`,
};
