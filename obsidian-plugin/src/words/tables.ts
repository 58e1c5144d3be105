/** Every language's table. Only the build and the tests read this file: what is shipped carries the languages packed, or beside the page. */
import { DE } from "./de";
import { EN } from "./en";
import { ES } from "./es";
import { FR } from "./fr";
import { JA } from "./ja";
import type { Language } from "./languages";
import type { Table } from "./say";
import { ZH } from "./zh";

export const TABLES: Readonly<Record<Language, Table>> = { en: EN, de: DE, fr: FR, es: ES, zh: ZH, ja: JA };
