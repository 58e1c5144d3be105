import { LANGUAGES } from "../../src/words/keys";
import { describePaths } from "../support/languagePaths";

describePaths(LANGUAGES.filter((language) => language !== "en"));
