import { drawn, JAY } from "../../panel/shared/icons";

/** The bird beside the page's name. */
export function logo(): Element {
	return drawn(JAY, "page-logo");
}
