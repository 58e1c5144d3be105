import { describeStates } from "./support/everyState";

/** All of them are in `e2e/slow/`. */
describeStates(12);
