import { describePaths } from "./support/languagePaths";

/** The other languages are in `e2e/slow/`. */
describePaths(["en"]);
