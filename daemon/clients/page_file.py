"""The file that opens the search page. Only the user can read it, and a browser's command line holds its path alone.

What stands in a command line, every user of the machine can read. So no address with a ticket is ever handed to a
browser: it is given this file, whose script makes a ticket that lives for seconds, and goes on to the page with it.
The secret in the file is new at each start of the daemon; whoever can read the file is the user.
"""

from pathlib import Path

from scrubjay.profiles.private_files import write_private

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Scrubjay</title>
<p id="says">Opening the search page…</p>
<noscript><p>The search page needs JavaScript.</p></noscript>
<script>
"use strict";
const url = "@URL@", secret = "@SECRET@";
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
async function ticket() {
  const said = `${Date.now()}.${hex(crypto.getRandomValues(new Uint8Array(16)))}`;
  const text = new TextEncoder(), hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", text.encode(secret), hmac, false, ["sign"]);
  return `${said}.${hex(await crypto.subtle.sign("HMAC", key, text.encode(said)))}`;
}
ticket().then(
  (made) => location.replace(`${url}/#ticket=${made}`),
  () => { document.getElementById("says").textContent =
    "This browser can't open the page from a file. Run: scrubjay open --print"; },
);
</script>
"""


def write_page_file(path: Path, url: str, secret: str) -> None:
    """Write the file for the daemon at `url`; secret: from `Sessions.opener`. Mode 0600 in a folder of mode 0700."""
    write_private(path, _PAGE.replace("@URL@", url).replace("@SECRET@", secret).encode())
