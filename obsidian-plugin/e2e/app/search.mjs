import { browser, expect } from "@wdio/globals";
import { describe, it } from "mocha";

describe("the plugin in the app", () => {
	it("opens the search modal by command and closes it with Escape", async () => {
		await browser.executeObsidianCommand("scrubjay:search");
		await expect(browser.$(".sj-modal .sj-input")).toBeFocused();
		await browser.keys(["Escape"]);
		await expect(browser.$(".sj-modal")).not.toExist();
	});

	it("says that the daemon is not running instead of failing", async () => {
		await browser.executeObsidianCommand("scrubjay:show-status");
		await expect(browser.$(".sj-status")).toHaveText(expect.stringContaining("not running"));
	});
});
