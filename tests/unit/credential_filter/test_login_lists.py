"""Lists of logins are found below what announces them and behind it, and ordinary lists in their form stay."""

# ruff: noqa: E501 - tables of texts
import random
import re
import string

import pytest

from scrubjay.credential_filter import redact
from scrubjay.credential_filter.text.announcers import languages

HEADS = (
    "## {h}\n\n{e}", "### {h}:\n{e}", "**{h}**\n\n{e}", "{h}\n=====\n\n{e}", "{h}\n---\n{e}", "> [!info] {h}\n{q}", "{h}:\n{e}", "**{h}:**\n{e}", "- {h}\n{i}",
)  # fmt: skip
ENTRIES = (
    "- admin: {p}\n- guest: {p}", "- admin – {p}\n- guest – {p}", "| admin | {p} |\n| guest | {p} |", "1. admin/{p}\n2. guest/{p}",
    "| Who | Login |\n|---|---|\n| Router | admin / {p} |", "| admin | {p} |\n|---|---|\n| guest | {p} |", "- [ ] admin/{p}\n- [x] guest/{p}",
    "+ admin/{p}\n+ guest/{p}", "- Router: admin/{p}\n- NAS: root / {p}", "admin / {p}\nguest / {p}", "admin {p}\nguest {p}", "* admin, {p}\n* guest, {p}",
    "- admin + {p}\n- guest + {p}", "- Router\n  - admin: {p}\n  - guest: {p}", "- Netflix: anna@heron.example / {p}", "- **admin**: {p}\n- `guest`: `{p}`",
    "- Router (admin): {p}", "- admin -> {p}", "- Router: admin, {p}", "- Router – admin – {p}", "- http://router.local: admin / {p}",
)  # fmt: skip
# Of passwords (P), what is said of passwords of words (W) and of generated ones (R).
ON_ONE_LINE = (
    "Accounts: root:{R}, guest:{W}", "[root:{R}, guest:{W}]", "SSH root/{P}, backup/{P}", "Credenziali: admin/{P}, guest/{P}",
    "Credenciales: admin/{P}, guest/{P}", "Учётные данные: admin/{P}, guest/{P}", "ログイン: admin/{P}、guest/{P}", "登录：admin/{P}，guest/{P}",
    "로그인: admin/{P}", "Benutzerkonten: admin/{P}, guest/{P}", "FTP-Zugang: web123 / {P}", "Credentials: admin + {P}",
    "Accesos: admin/{P}, guest/{P}", "[Logins] admin/{P}", "Creds admin/{P}", "(user/pw) admin/{P}", "Credentials: admin, {P}",
    "Die Zugangsdaten sind admin/{P} und gelten bis Mai.", "Login admin/{P} or guest/{P}", "Netflix: mum@heron.example / {P}",
    "Logins – admin/{P}, guest/{P}", "Zugangsdaten: Router admin/{P}; NAS root/{P}", "Passwörter: admin: {P}, guest: {P}",
    "Users: anna/{W}, bob/{R}", "logins:\n  admin: {P}\n  guest: {P}\n", "---\nlogins:\n  admin: {W}\n  guest: {R}\n---\n",
    "## Accounts\n\n- admin: {W}\n- guest: {R}", "## Accounts\n\n- anna: {R}\n- bob: {W}",
    "# Passwords\n\n## Router\n\n- admin: {P}\n\n## Shop\n\n- anna: {P}", "Logins: admin/{P},\n  guest/{P}",
    "Logins:\n- Router: admin/{P}\n- NAS: {R}", "Logins: router={R}, nas={R}\n", "Logins:\n- router: {R}\n- nas: {R}\n",
    "Zugänge: Router={R}, NAS={R}\n", "Zugangsdaten (Router {R}; NAS {R})\n", "Accès : box={R}, nas={R}\n", "Accesos: router {R}, nas {R}\n",
    "Inloggegevens: router={R}, nas={R}\n",
)  # fmt: skip
ORDINARY = (
    "Logins: Google/GitHub, Apple/Microsoft365", "## Accounts\n\n- Instagram / heron_77\n- Mastodon / @heron@fosstodon.org\n- GitHub: heron77\n",
    "## Accounts\n\n- Instagram: heron_1977\n- TikTok: heron1977\n- Steam: NightHeron77\n",
    "## Accounts\n\n| Bank | Account | Balance |\n|---|---|---|\n| Sparkasse | Giro 2041 | 1,204.55 |\n| ING | DE89370400440532013000 | 310 |\n",
    "## Konten\n\n- Sparkasse: DE89370400440532013000\n- Girokonto: 1234567890\n- Depot: DEPOT4711\n- Tagesgeld: 3,25 %\n",
    "## Accounts\n- checking: 4711\n- savings: FY2024\n- Visa: ends in 4242\n- joint: BARC20418899\n", "Accounts: assets/cash1, income/salary2024",
    "## Logins\n\n| Month | Logins |\n|---|---|\n| Jan2024 | 1204 |\n| Feb2024 | 1310 |\n", "Logins: 12/2024, 01/2025",
    "Logins per day: web 1024, mobile 2048, api 512",
    "## Login\n\n- As a user I can sign in with Google/GitHub\n- Given the user is on iOS17, when she taps login\n- SSO via SAML2.0/OAuth2\n",
    "## Login flow\n\n1. client/v2 sends request to auth/v3\n2. server answers with HTTP/1.1 302\n3. browser: Chrome120 / Firefox121\n",
    "## Credentials\n\n- MSc / Uni2019\n- PhD / Oxford2012\n- BSc: Heidelberg2008\n",
    "## Credentials\n\n- MSc, Physics, 2012\n- CISSP – 2019\n- PMP: 2021\n- AWS Certified Solutions Architect / SAA-C03\n- CompTIA Security+ (SY0-701)\n",
    "## Users\n\n| id | name | last login |\n|---|---|---|\n| u1204 | anna | 2024-05-01 |\n| u1205 | bob | May2024 |\n",
    "## Users\n\n- anna: room 2041\n- bob: Team2041\n- carla: Berlin2024\n",
    "## User stories\n\n- US-1204: As an admin I want to reset a password\n- US-1205: As a guest I want to log in\n",
    "## Benutzer\n\n- Anna: Raum 2041\n- Bernd: seit Mai2024\n- Carla: Abteilung4711\n",
    "## Accounts receivable\n\n- ACME: INV2041\n- Heron Ltd: INV-2042\n- Total: 12,040\n", "Login: colours blue500/gray700, spacing p4/m2",
    "login (SSO/OAuth2)", "account (assets/v2.10.3; docs/login-flow-2)", "The login is OAuth / OIDC.", "Zugänge: Halle3, Tor12 und das Nebengebäude",
    "Accesos: puerta2/pasillo3, norte/sur2",
    "## Zugangsdaten\n\n- Benutzername: heron_77\n- Kundennummer: K20417788\n- Server: web2041.example.org\n- Passwort: liegt in KeePassXC\n",
    "## Zugangsdaten\n\nDie Zugangsdaten liegen im Tresor (Raum2041), siehe Ordner IT/2024.\n",
    "## Login data\n\n- Username: heron2041\n- Email: heron2041@acme.org\n- URL: https://acme.org/login2041\n- Host: nas2041\n",
    "## Passwords\n\n- Length: 12+\n- Hash: argon2id\n- Hash: SHA256\n- Rotation: 90 days\n- Standard: ISO27001\n- Manager: KeePass2\n",
    "## Passwords\n\nUse a manager. Never share them.\n\n## Chapter 2\n\n- Heron: Berlin2041\n- Paris: Louvre1204\n",
    "# Passwords\n\n## History\n\n- 1961: MIT built CTSS\n- 1978: Unix crypt(3), DES25\n- 2013: argon2 / PHC2013\n",
    "## Password policy\n\n| Rule | Value |\n|---|---|\n| length | min12 |\n| history | last24 |\n| hash | bcrypt12 |\n",
    "Passwords: length 12, hash SHA256, rotation 90d", "Credentials (see vault/Keys2024)",
    "credentials: 'same-origin', mode: 'cors', cache: 'no-store2'", "logins:\n  google: oauth2\n  github: oauth2\n  legacy: false\n",
    "users:\n  - name: anna\n    team: berlin2024\n  - name: bob\n    team: paris2023\n",
    "---\naccounts:\n  - instagram: heron_77\n  - chess: heron77\ntags: [logins2024]\n---\n",
    "> [!info] Accounts\n> Instagram / heron_77\n> Strava / heronruns77\n", "**Users**\n\nanna / Zimmer2041\nbob / Zimmer2042\n",
    "- Login\n  - v2: Redesign2024\n  - v3: Passkeys2025\n", "ログイン：2024年12月に1024回、スマホ/PC", "账号：微信 heron77，微博 heron_77",
    "Пользователи: Анна/Берлин2024, Борис/Париж2023", "admin/2024/report.pdf, guest/2023/list2.pdf",
    "root:x:0:0:root:/root:/bin/bash\nguest:x:1000:1000::/home/guest:/bin/zsh5", "admin: Anna (since May2024), guest: Bob (Team2041)",
    "[root:node1204, guest:node1205]", "## Access data\n\n- data/export2024.csv\n- data/raw/2041: Backup2024\n", "jay@acme.org / Room2041",
    "Contact: anna@heron.example / +49 151 204188", "Mail: anna@heron.example / bob@heron.example / Berlin2024",
    "## Nutzer\n\n- anna / letzte Anmeldung Mai2024\n- bernd / nie\n", "## Comptes\n\n- Boursorama : Livret2041\n- LCL : PEL2012\n",
    "Login tests: admin/Chrome120, guest/Firefox121",
    "## Passwords\n\n- Chapter 3: Diceware2016 by Reinhold\n- Tool: Bitwarden2024\n- Talk: Defcon2019\n",
    "## Passwörter\n\n- Mindestlänge: 12\n- Verfahren: bcrypt12\n- Schulung: März2024\n- Zuständig: Anna\n",
    "### Passwords and hashing\n\n| Algorithm | Year | Cost |\n|---|---|---|\n| bcrypt | 1999 | cost12 |\n| argon2id | 2015 | m65536 |\n",
    "## Logins\n\n- anna: yesterday\n- bob: May2024\n- carla: never\n", "## Logins\n\nanna 204\nbob 310\ncarla 1204\n",
    "## Accounts\n\n- Google: family plan\n- Dropbox: Plus2024\n- iCloud: 2TB\n- Netflix: Premium4K\n",
    "## Accounts\n\n- Vanguard: VTSAX2041\n- Fidelity: Z12345678\n- Schwab: 1234-5678\n", "Users: alice/engineering2024, bob/design2024",
    "## Users\n\n```\nroot:x:0:0\nanna:x:1000:1000:Anna,Room1204:/home/anna:/bin/bash\n```\n",
    "## Credentials\n\n- Anna Heron, RN, MSN2014\n- Board certified: ABIM2018\n- NPI: 1234567890\n- DEA: AH1234563\n",
    "Credentials: see 1Password/Team2024", "credentials/prod2041.json, credentials/dev2041.json",
    "## Zugang\n\n- WLAN: Gast2041 im Foyer\n- Parkhaus: Ebene2\n- Rampe: Nordseite\n",
    "## Anmeldung\n\n- Kurs: Yoga2024\n- Raum: E204\n- Gebühr: 45 €\n- anna / Yoga2024\n", "Anmeldung: anna/Yoga2024, bob/Tanz2024",
    "- root/2024\n- admin/2023\n- guest/2022", "root: Node2041, left: Node2042", "guest: Maria Lopez (S02E04), host: Anna",
    "## Logins\n\n| User | Role |\n|---|---|\n| admin | Level2041 |\n| guest | Level1204 |\n", "アカウント：Instagram/heron77、X/heron_77",
    "ログイン: Google/Apple2024", "Compte rendu: réunion/Mai2024", "> [!note] Login\n> Use SSO: okta/prod2024\n",
    "Login via Okta/AzureAD2024 or Google/Workspace2024", "Users/anna2041/Documents", "Sign-in details: Google / anna.heron2041",
    "Passwords: Anna, Bernd2041 haben ihre geändert", "Password for Halle2041: ask Anna", "Passwords (2024): reset for anna/bob2041",
    "Slack: anna@heron.example / Channel2041", "logins:\n  - date: May2024\n    count: 1204\n",
    "users:\n  anna: engineering2041\n  bob: design2041\n", "---\nlogin: heron2041\nuser: heron\n---\n", "Logins: 4711 last week, 3 of them failed",
    "Zugangsdaten liegen im Tresor", "Logins = session.query(User).filter_by(active=True)", "Identifiants: user_id, client_id",
    "accounts (Q3/FY2024, Q4/FY2024)", "The login (SSO/SAML2.0-based) is new", "The account is main/branch2024-old, dev/feature_12x",
    "See the logins: docs/setup-v2.md, docs/login-v3.md", "The login is admin / xxxxxxxxx!4", "Accounts (checking/savings2)",
    "root/Berlin2140, anna/Paris2041",
    "## Passwords\n\nWe changed the ones of the router and the printer in the office, admin/Berlin2140 among them, and told everybody in the house about it.\n",
)  # fmt: skip
WORDS = ("soleil", "mango", "Banane", "tortuga")


def of_words(draw: random.Random) -> str:
    return f"{draw.choice(WORDS)}{draw.randint(2100, 9999)}"


def generated(draw: random.Random) -> str:
    head, number = draw.choices(string.ascii_letters, k=5), draw.randint(2, 9)
    return "".join(("K", *head, str(number), *draw.choices(string.ascii_letters + string.digits, k=5)))


def left_of(layout: str, kind: str, seed: str) -> list[str]:
    """The passwords that stand in the layout after the filter, those without a kind of their own being of this one."""
    draw, made = random.Random(seed), list[str]()

    def password(place: re.Match[str]) -> str:
        made.append(of_words(draw) if (place[1] if place[1] in "WR" else kind) == "W" else generated(draw))
        return made[-1]

    said = redact(re.sub(r"\{([PWRp])\}", password, layout)).text
    assert made
    return [secret for secret in made if secret in said]


FOLDED_OR_TAILED = (
    "> [!warning]- {h}\n{q}", "> [!info]+ {h}\n{q}", "## {h} 🔑\n\n{e}", "## 🔑 {h}\n\n{e}", "## {h} ✅\n{e}", "{h} 🔐:\n{e}", "## 1. {h}\n\n{e}", "## {h} – home\n\n{e}",
    "## {h}: home\n{e}", "## {h}, PINs and so on\n\n{e}", "## {h} #private\n\n{e}", "## {h} ^id1\n\n{e}",
)  # fmt: skip
OPENED = (
    "Mail",
    "Email",
    "phone",
    "server",
    "NAS",
    "Server Keller",
    "Mamas Handy",
    "Téléphone",
    "Servidor",
    "Сервер",
    "サーバー",
)
KINDS = pytest.mark.parametrize("kind", ["W", "R"], ids=["of words", "generated"])


def below(head: str, title: str, entries: str) -> str:
    lines = entries.split("\n")
    quoted, indented = ("\n".join(f"{before}{line}" for line in lines) for before in ("> ", "  "))
    return head.format(h=title, e=entries, q=quoted, i=indented)


@KINDS
def test_every_password_of_a_list_below_a_head_is_hidden(kind: str) -> None:
    assert [
        (head, title, entries)
        for head in HEADS
        for title in ("Passwords", "Zugangsdaten", "Credentials", "Logins", "Login-Daten")
        for entries in ENTRIES
        if left_of(below(head, title, entries), kind, title + entries)
    ] == []


@KINDS
def test_a_head_is_one_whatever_stands_around_its_word(kind: str) -> None:
    assert [
        (head, title)
        for head in FOLDED_OR_TAILED
        for title in ("Passwords", "My passwords", "Zugangsdaten")
        if left_of(below(head, title, "- Netflix: {p}\n- anna: {p}\n- guest – {p}"), kind, title)
    ] == []


@KINDS
def test_below_passwords_what_has_one_of_its_own_is_no_place(kind: str) -> None:
    layout = "## Passwords\n\n- {}: {{p}}\n- Netflix: {{p}}"
    assert [name for name in OPENED if left_of(layout.format(name), kind, name)] == []


def test_below_accounts_what_is_generated_is_hidden_beside_a_service() -> None:
    assert left_of("## Accounts\n\n- Dropbox: {R}\n- Ikea – {R}", "R", "accounts") == []
    address = "## Accounts\n\n- Bitcoin: 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa\n"
    assert redact(address).text == address


@pytest.mark.parametrize("code", languages())
def test_each_language_has_words_that_announce_logins(code: str) -> None:
    tables = languages()[code]
    words = [word for kind in ("credentials", "logins") for way in tables[kind].values() for word in way]
    assert len(words) > 1
    layouts = (
        "## {h}\n\n- admin: {{P}}\n- guest: {{P}}",
        "{h}: admin/{{P}}, guest/{{P}}",
        "**{h}**\n\n- admin / {{P}}",
    )
    assert [
        (word, layout, kind)
        for word in words
        for layout in layouts
        for kind in "WR"
        if left_of(layout.format(h=word.capitalize()), kind, word)
    ] == []


@KINDS
def test_every_password_of_a_list_on_a_line_is_hidden(kind: str) -> None:
    assert [layout for layout in ON_ONE_LINE if left_of(layout, kind, layout)] == []


def test_an_ordinary_list_in_this_form_stays() -> None:
    assert [text for text in ORDINARY if redact(text).text != text] == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("## Passwords\n\n- admin: {P}\n\n## Places\n\n- Heron: Berlin2140\n", "Berlin2140"),
        ("Logins: admin/{P}\n\nPlaces: Heron/Berlin2140", "Berlin2140"),
        ("- Logins\n  - admin/{P}\n- Places: Heron/Berlin2140", "Berlin2140"),
        ("> [!info] Passwords\n> admin: {P}\n\nHeron: Berlin2140", "Berlin2140"),
        ("passwords:\n  admin: {P}\ntitle: Berlin2140\n", "Berlin2140"),
        ("**Passwords**\nadmin: {P}\n**Places**\nHeron: Berlin2140\n", "Berlin2140"),
        ("## Zugangsdaten\n\n- Benutzername: heron2140\n- admin: {P}\n", "heron2140"),
        ("## Passwords\n\n- Room: Berlin2140\n- admin: {P}\n", "Berlin2140"),
    ],
)
def test_a_list_ends_and_what_names_other_things_in_it_stays(text: str, kept: str) -> None:
    assert left_of(text, "W", text) == []
    assert kept in redact(text.replace("{P}", of_words(random.Random(text)))).text
