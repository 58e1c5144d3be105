import { drawn } from "../../panel/shared/icons";

const JAY =
	"M4 19c5 .4 9-1 11-4.5c1.3-2.3.9-4.5 2.5-6l3-.8l-2.8-1.7c-1.5-2.3-4.8-2.6-6.6-.5c-1.7 2-1.3 4.4-3 7C7 14.2 5.8 16.5 4 19zM15.5 7.3v.1M10 18.3V21M13 17v4";

/** The bird beside the page's name. */
export function logo(): Element {
	return drawn(JAY, "page-logo");
}
