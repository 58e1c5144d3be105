/** The tests read English, unless they say otherwise. */
import { speak } from "../../src/words/say";
import { EN } from "./tables";

speak("en", EN);
