"""What is hidden and what is kept, beyond the examples of the rules: surroundings, encodings, false alarms."""

import base64
import string
import zlib
from itertools import product
from urllib.parse import quote

import pytest

from scrubjay.credential_filter import BUILT_IN, redact
from scrubjay.credential_filter.rules.templates import expand

TOKEN = expand("ghp_{alnum:36}", "filter")
OPAQUE = expand("{alnum:30}4kB", "filter")  # no vendor's form, all kinds of characters
PLAIN = expand("{lower:9}", "filter")  # reads like a word that nobody knows
DOTTED = expand("{alnum:24}.{alnum:6}.{alnum:38}", "filter")
CODED = base64.b64encode(f"export TOKEN={TOKEN}".encode()).decode()

HIDDEN = {
    "zero width characters in it": (TOKEN[:12] + "\u200b" + TOKEN[12:], None),
    "terminal colours in it": (f"token: {TOKEN[:12]}\x1b[0m{TOKEN[12:]}", None),
    "wrapped in a code block": (f"```\n{TOKEN[:24]}\n{TOKEN[24:]}\n```", TOKEN[:24]),
    "base64": (f"blob {CODED}", CODED),
    "hexadecimal": (f"blob {TOKEN.encode().hex()}", TOKEN.encode().hex()),
    "percent signs": ("".join(f"%{byte:02x}" for byte in TOKEN.encode()), None),
    "escaped in a link": (f"[x](https://acme.org/?t={quote('key=' + TOKEN, safe='')})", TOKEN),
    "again, without the name": (f"password: {OPAQUE}\n\nLater it said {OPAQUE} once more.", OPAQUE),
    "again, encoded": (f"password: {OPAQUE}!\n\n{base64.b64encode(f'{OPAQUE}!'.encode()).decode()}", None),
    "alone on its line": (f"Notes\n\n{OPAQUE}\n\nmore", OPAQUE),
    "alone between quotes": (f'init("{OPAQUE}")', OPAQUE),
    "right behind a service": (f"netlify: '{expand('{hex:40}')}'", expand("{hex:40}")),
    "behind PRIVATE, joined to an unknown name": (f"acmeworksPRIVATE {expand('{uuid}')}", expand("{uuid}")),
    "a password that is a word, alone on its line": (f"Router\npassword: {PLAIN}\n", PLAIN),
    "a password that is a word, in quotes": (f"db_password = '{PLAIN}'", PLAIN),
    "a password that is a word, in a table": (f"| Host | Password |\n|---|---|\n| nas | {PLAIN} |", PLAIN),
    "a password that is a word, in XML": (f"<password>{PLAIN}</password>", PLAIN),
    "three parts joined by full stops, of no known service": (f"I sent {DOTTED} to him", DOTTED.rpartition(".")[0]),
    "a token that is an address, whole": (
        "rabbitmq token = 'amqps://user123:heron456@rabbitmq-host.pattern.com:5672/vhost789'",
        "rabbitmq-host",
    ),
    "a quote inside it": ("export ACME_TOKEN=N{w44mqa'2si(zY8", "2si(zY8"),
    "longer than a line is looked at": (f"acme_secret={expand('{alnum:900}')} end", expand("{alnum:900}")[600:]),
    "behind a bare name at the head of its line": (
        f"token:{expand('{alnum:15}', 'head')}",
        expand("{alnum:15}", "head"),
    ),
    "behind a name that is joined to a service's": (f"openweatherapikey={expand('{hex:32}')}", expand("{hex:32}")),
    "a user beside it": (f"user: jane\npass: {PLAIN}1", PLAIN + "1"),
    "Chinese": (f"密码：{PLAIN}7", PLAIN + "7"),
    "Russian": (f"пароль: {PLAIN}7", PLAIN + "7"),
    "French": (f"mot de passe : {PLAIN}7", PLAIN + "7"),
    "a key without its end": (
        "-----BEGIN RSA PRIVATE KEY-----\n" + expand("{base64:64}") + "\n",
        expand("{base64:64}"),
    ),
    "a key in one JSON string": (
        '"-----BEGIN PRIVATE KEY-----\\n' + expand("{base64:64}") + '\\n-----END PRIVATE KEY-----\\n"',
        expand("{base64:64}"),
    ),
}

KEPT = {
    "uuid": expand("id: {uuid}"),
    "git hash": expand("Fixed in {hex:40}"),
    "git hash behind a code host": expand("github {hex:40}"),
    "sha256": expand("sha256:{hex:64}"),
    "integrity": expand('integrity="sha512-{base64:86}=="'),
    "isbn": "ISBN 978-3-16-148410-0",
    "url with an id": expand("https://www.amazon.com/dp/{updigit:10}?ref_={alnum:12}"),
    "document in a url": expand("https://docs.google.com/document/d/{base64url:44}/edit"),
    "image data": expand("![](data:image/png;base64,{base64:400})"),
    "colour": "color: #a1b2c3; background: #FFAA0099",
    "bitcoin address": "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    "certificate": "-----BEGIN CERTIFICATE-----\n" + expand("{base64:64}\n{base64:64}") + "\n-----END CERTIFICATE-----",
    "lines of base64": expand("{alnum:64}\n{alnum:64}\n{alnum:64}\n"),
    "identifier": expand("req_{alnum:24}"),
    "reads the environment": 'password = os.environ["DB_PASSWORD"]',
    "reads a field": "password = $this->option('password')",
    "variable with two dollar signs": "mysql://k3s:$$K3S_MYSQL_PASSWORD@tcp(host)/db",
    "your key": "api_key: YOUR_API_KEY",
    "masked": "password: xxxxxxxx",
    "angle brackets": "token: <token>",
    "masked at its end": expand("xoxp-{digit:12}-{digit:12}-####################"),
    "counted": "botToken: 'xoxb-123abc'",
    "label": '"password": "Passwort"',
    "password manager": "Password: Bitwarden",
    "type": "password: string",
    "test report": "PASS: TestHeron\n--- PASS: TestWeir (0.00s)",
    "compiler": "clang -Rpass=inline",
    "named variable": "| *lpszPassword* | a pointer |\n\npassword = lpszPassword",
    "validation": "'password' => 'current_password:api',",
    "a column of an export that tells of passwords": "url,user,password policy\nhttps://acme.org,jay,min12-Mixed1\n",
    "a question mark in what a name that says little announces": "kanban key = '11?Q98FV=8WI' url = 'heron.acme.org'",
    "letters of a name that are no word for passwords": "PWR_MGM: N0tTheHeron45f!!!",
    "a manifest's value that is no more than a comma": "token\nkind: Secret\ndata:\n  a: ,\n",
}


@pytest.mark.parametrize(("text", "secret"), HIDDEN.values(), ids=HIDDEN)
def test_it_is_hidden(text: str, secret: str | None) -> None:
    found = redact(text)
    assert found.findings
    assert [each for each in (TOKEN, secret) if each and each in found.text] == []
    assert found.text.count("\n") == text.count("\n")
    assert redact(found.text).text == found.text


def test_it_is_kept() -> None:
    assert {name: redact(text).text for name, text in KEPT.items()} == KEPT


def test_the_marker_keeps_its_line_and_the_next() -> None:
    texts = {
        f"token: {TOKEN} <!-- scrubjay:allow -->": True,
        f"<!-- scrubjay:allow -->\ntoken: {TOKEN}": True,
        f"<!-- scrubjay:allow -->\n\ntoken: {TOKEN}": False,
        f"token: {TOKEN}\n<!-- scrubjay:allow -->": False,
        f"<!-- scrubjay:allowed -->\ntoken: {TOKEN}": False,
    }
    assert {text: redact(text).text == text for text in texts} == texts


def test_a_finding_tells_the_place_and_holds_no_secret() -> None:
    (finding,) = redact(f"# Heron\n\n  é {TOKEN}!\n").findings
    assert (finding.rule, finding.line, finding.column, finding.length) == ("github-token", 3, 5, len(TOKEN))
    assert TOKEN not in repr(finding)
    assert TOKEN not in repr(redact(TOKEN))


def test_the_name_of_the_most_telling_rule_stands_for_overlapping_hits() -> None:
    assert redact(f"password: {TOKEN}").text == "password: [REDACTED:github-token]"


def test_what_a_mark_says_is_no_evidence() -> None:
    text = f"[REDACTED:named-password] {expand('{lowdigit:20}')} [REDACTED:loose-secret] {expand('{lowdigit:24}')}"
    assert redact(text).text == text


def test_opt_in_groups_are_off_until_asked_for() -> None:
    text = f"Visa {expand('{card}')}, rent to {expand('{iban}')}"
    assert redact(text).text == text
    assert (
        redact(text, BUILT_IN.with_groups(["payment"])).text == "Visa [REDACTED:card-number], rent to [REDACTED:iban]"
    )


# The example that each country publishes of its own (SWIFT's registry of ISO 13616), several of them mostly zeroes.
IBANS = """
AT611904300234573201 BE68539007547034 BG80BNBG96611020345678 CH9300762011623852957 CY17002001280000001200527600
CZ6508000000192000145399 DE89370400440532013000 DK5000400440116243 EE382200221020145685 ES9121000418450200051332
FI2112345600000785 FR1420041010050500013M02606 GB29NWBK60161331926819 GR1601101250000000012300695
HR1210010051863000160 HU42117730161111101800000000 IE29AIBK93115212345678 IS140159260076545510730339
IT60X0542811101000000123456 LI21088100002324013AA LT121000011101001000 LU280019400644750000 LV80BANK0000435195001
MC5811222000010123456789030 MT84MALT011000012345MTLCAST001S NL91ABNA0417164300 NO9386011117947
PL61109010140000071219812874 PT50000201231234567890154 RO49AAAA1B31007593840000 SE4550000000058398257466
SI56191000000123438 SK3112000000198742637541 SM86U0322509800000000270100 AE070331234567890123456
AL47212110090000000235698741 AZ21NABZ00000000137010001944 BA391290079401028494 BH67BMAG00001299123456
BR9700360305000010009795493P1 BY13NBRB3600900000002Z00AB00 CR05015202001026284066 DO28BAGR00000001212453611324
EG380019000500000000263180002 FO6264600001631634 GE29NB0000000101904917 GI75NWBK000000007099453 GL8964710001000206
GT82TRAJ01020000001210029690 IL620108000000099999999 IQ98NBIQ850123456789012 JO94CBJO0010000000000131000302
KW81CBKU0000000000001234560101 KZ86125KZT5004100100 LB62099900000001001901229114 LC55HEMM000100010012001200023015
LY83002048000020100120361 MD24AG000225100013104168 ME25505000012345678951 MK07250120000058984
MR1300020001010000123456753 MU17BOMM0101101030300200000MUR PK36SCBL0000001123456702 PS92PALS000000000400123456702
QA58DOHB00001234567890ABCDEFG RS35260005601001611379 SA0380000000608010167519 SC18SSCB11010000000000001497USD
SD2129010501234001 ST68000100010051845310112 SV62CENR00000000000000700025 TL380080012345678910157
TN5910006035183598478831 TR330006100519786457841326 UA213223130000026007233566001 VA59001123000012345678
VG96VPVG0000012345678901 XK051212012345678906
"""


def test_the_published_account_number_of_each_country_is_hidden() -> None:
    rules = BUILT_IN.with_groups(["payment"])
    assert [
        number for number in IBANS.split() if redact(f"rent to {number}", rules).text != "rent to [REDACTED:iban]"
    ] == []


GENERATED = [(user, expand("{alnum:9}!4", user)) for user in ("admin", "guest", "bob@acme.org")]
OF_WORDS = [("admin", "mango" + "Tree#7"), ("root", "s0nnen" + "Blume"), ("anna", "Zugspitze" + "_31")]
ANNOUNCED = (
    "Credentials ({})", "Zugänge ( {} )", "Zugangsdaten [{}]", "login details ({})", "Logins: {}.", "Identifiants : {}",
    "Logins for staging (\n{}\n)", "The logins are {}",
)  # fmt: skip
BETWEEN = (", ", "; ", " | ", " and ", ", and ", ";\n  ", "\n- ")


@pytest.mark.parametrize("logins", [GENERATED, OF_WORDS], ids=["generated", "of words"])
def test_every_password_of_a_list_of_logins_is_hidden(logins: list[tuple[str, str]]) -> None:
    texts = (
        announced.format(between.join(f"{user}{slash}{password}" for user, password in logins))
        for announced, between, slash in product(ANNOUNCED, BETWEEN, ("/", " / "))
    )
    assert [text for text in texts if any(password in redact(text).text for _, password in logins)] == []


def test_below_a_heading_a_list_of_logins_is_one() -> None:
    said = redact("## Zugangsdaten\n\n" + "\n".join(f"- {user}/{password}" for user, password in OF_WORDS)).text
    assert said.count("[REDACTED:named-password]") == len(OF_WORDS)


def test_a_token_whose_checksum_is_right_is_hidden_whatever_it_looks_like() -> None:
    """GitHub's: six characters are the CRC-32 of the thirty before, in base 62. No made-up example has them right."""
    body, digits = "x" * 30, string.digits + string.ascii_uppercase + string.ascii_lowercase
    number = zlib.crc32(body.encode())
    right = "".join(digits[number // 62**place % 62] for place in reversed(range(6)))
    assert redact(f"the token ghp_{body}{right}", BUILT_IN).text == "the token [REDACTED:github-token]"
    wrong = f"the token ghp_{body}{right[::-1]}"
    assert redact(wrong, BUILT_IN).text == wrong
