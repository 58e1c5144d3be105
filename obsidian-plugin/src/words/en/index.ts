import { DAEMON } from "./daemon";
import { GENERAL } from "./general";
import { HOSTS } from "./hosts";
import { INSIDE } from "./inside";
import { MANAGING } from "./managing";
import { REVIEW } from "./review";
import { SEARCH } from "./search";

/** All that is said in English; the other languages have the same keys. */
export const EN = { ...GENERAL, ...SEARCH, ...MANAGING, ...INSIDE, ...HOSTS, ...DAEMON, ...REVIEW } as const;
