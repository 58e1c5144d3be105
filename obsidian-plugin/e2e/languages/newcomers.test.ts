import { LANGUAGES } from "../../src/words/languages";
import { describePaths } from "../support/languagePaths";

describePaths(LANGUAGES.filter((language) => language !== "en"));
