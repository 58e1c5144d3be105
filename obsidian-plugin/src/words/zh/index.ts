import type { Table } from "../say";
import { DAEMON } from "./daemon";
import { GENERAL } from "./general";
import { HOSTS } from "./hosts";
import { INSIDE } from "./inside";
import { MANAGING } from "./managing";
import { REVIEW } from "./review";
import { SEARCH } from "./search";

/** All that is said in Chinese (simplified). */
export const ZH: Table = { ...GENERAL, ...SEARCH, ...MANAGING, ...INSIDE, ...HOSTS, ...DAEMON, ...REVIEW };
