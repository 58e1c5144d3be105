/** The tests read English, unless they say otherwise. */
import { EN } from "../../src/words/en";
import { speak } from "../../src/words/say";

speak("en", EN);
