"""What people write down is hidden in the layouts that they write it down in, and ordinary lines stay."""

# ruff: noqa: E501 - tables of layouts
import random
import string
from collections.abc import Iterable

import pytest

from scrubjay.credential_filter import redact

CHARS = string.ascii_letters + string.digits
MARKS = "!#$%&*+-=?@^_~"
WORDS = ["amber", "basalt", "cobalt", "cinder", "fjord", "hazel", "juniper", "kelp", "marble", "nettle", "opal", "pumice", "sorrel", "tansy", "umber", "walrus"]  # fmt: skip


def drawn(chance: random.Random, chars: str, size: int) -> str:
    body = "".join(chance.choices(chars, k=size - 3))
    return (
        chance.choice(string.ascii_letters)
        + body
        + chance.choice(string.digits)
        + chance.choice(string.ascii_uppercase)
    )


def passwords() -> dict[str, str]:
    """One of each kind that people and password managers make, new in every place but the same in every run."""
    chance = random.Random(20)
    return {
        "letters and digits": drawn(chance, CHARS, 14),
        "all punctuation": "(" + drawn(chance, CHARS + MARKS + "<>[]{};:,.", 18),
        "begins like a tag": "<" + drawn(chance, CHARS, 13),
        "begins like a variable": "$" + drawn(chance, CHARS + MARKS, 13),
        "sixes": "-".join(drawn(chance, string.ascii_lowercase, 6).lower() for _ in range(2))
        + "-"
        + drawn(chance, CHARS, 6),
        "words": "-".join(chance.sample(WORDS, 4)) + "7",
        "name and number": f"Basalt{chance.choice('#!$%&*')}{chance.randrange(10_000, 99_999)}x",
        "example in it": f"example-Basalt#{chance.randrange(1_000, 9_999)}",
        "dots in it": f"Basalt...{chance.randrange(10_000, 99_999)}Q",
    }


LINES = (
    "{a}: {p}", "{a} : {p}", "{a}={p}", "{a} = {p}", "{a} – {p}", "{a} -> {p}", "{a} → {p}", "{a}\t{p}", "{a}:\t\t{p}",
    "{a}\u00a0: {p}", "{a}\u202f: {p}", "{a}：{p}", "{a}: `{p}`", "{a}: “{p}”", "{a}: «{p}»", "{a}: ‘{p}’", "{a}: **{p}**", "{a}: =={p}==",
    "{a}: <kbd>{p}</kbd>", "**{a}:** {p}", "- [ ] {a}: {p}", "1. {a}: {p}", "> {a}: {p}", "[^1]: {a}: {p}", "%% {a}: {p} %%",
    "<!-- {a}: {p} -->", "[{a}:: {p}]", "{a} ({p})", "|| {a}: {p} ||", "\u200e{a}: {p}", "{a}: {p}, PIN in the safe",
    "{a} #2: {p}", "{a} 2024: {p}", "{a} (router): {p}", "{a} old: {p}", "{a} for jay@acme.org: {p}", "My acme {a} is {p}",
    "use {a} {p} to log in", "user jay, {a} {p}", "Login jay@acme.org, {a} {p}", "🔑 {a} {p}",
)  # fmt: skip
BLOCKS = (
    "{a}:\n{p}\n", "{a}:\n\n{p}\n", "## {a}\n\n{p}\n", "- {a}\n    - {p}\n", "> [!info] {a}\n> {p}\n", "{a}:\n```\n{p}\n```\n",
    "{a}\n\n    {p}\n", "{a}\n: {p}\n", "| {a} | {p} |\n| --- | --- |\n", "| Host | {a} |\n|---|---|\n| nas | {p} |\n",
    "<table><tr><td>{a}</td><td>{p}</td></tr></table>", "{a}:<br>{p}\n", "| Host | {a} |\n|---|---|\n| nas | jay / {p} |\n",
    "<table><tr><th>Host</th><th>{a}</th></tr>\n<tr><td>nas</td><td>{p}</td></tr></table>", '<label>{a}</label> <input value="{p}">',
)  # fmt: skip
CODE = (
    "---\npassword: '{p}'\n---\n", '---\npassword:\n  - "{p}"\n---\n', "---\npassword: >-\n  {p}\n---\n", "---\npassword: |\n  {p}\n---\n",
    '---\nauth:\n  password: "{p}"\n---\n', '{{"password":\n  "{p}"}}', "sshpass -p '{p}' ssh jay@acme.org", "mysql -u root -p'{p}' shop",
    "curl -u 'jay:{p}' https://acme.org", "$c = ConvertTo-SecureString '{p}' -AsPlainText", "ALTER USER jay IDENTIFIED BY '{p}';",
    'psk="{p}"', "connect(user='jay', password='{p}')", "url,username,password,note\nhttps://acme.org,jay,{p},x\n",
    "<password><![CDATA[{p}]]></password>", '{{"key": "PASSWORD", "value": "{p}"}}', 'auth=("jay", "{p}")', "7z x -p'{p}' a.7z",
    "unzip -P '{p}' a.zip", "openssl enc -aes-256-cbc -k '{p}'", "xfreerdp /u:jay /p:'{p}' /v:nas", 'expect "Password:"\nsend "{p}\\r"',
    "<Key>Password</Key><Value ProtectInMemory=\"True\">{p}</Value>", "echo '{p}' | sudo -S true",
)  # fmt: skip
NAMES = ("Password", "PW", "Passwort", "WLAN-Schlüssel", "Mot de passe", "mdp", "Contraseña", "Clave wifi", "Senha", "Parola d’ordine", "Wachtwoord",
    "Lösenord", "Adgangskode", "Salasana", "Hasło", "Heslo", "Jelszó", "Parolă", "ŞİFRE", "Şifresi", "ПАРОЛЬ", "Пароля", "Κωδικός", "סיסמה", "كلمة المرور",
    "رمز عبور", "पासवर्ड", "Kata sandi", "Mật khẩu", "รหัสผ่าน", "密码", "パスワード", "비밀번호")  # fmt: skip
WITHOUT_SPACES = (
    "密码是{p}", "密码为{p}。", "我的密码是 {p} 请保密", "账号：jay 密码：{p}", "パスワードは{p}です", "パスワード「{p}」", "パスワードを{p}に変更",
    "ID：jay／パスワード：{p}", "비밀번호는 {p}", "아이디 jay 비밀번호 {p}",
)  # fmt: skip
BEFORE = (
    "{p} is the {a}", "{p} ist das neue {a}", "{p} = {a}", "{p} <- {a}", "{p} ({a})", "I use {p} as my {a} for the bank", "`{p}` is the {a}.",
)  # fmt: skip
PAIRS = (
    "jay@acme.org / {p}", "root:{p}", "router admin:{p}", "user: admin / {p}", "ssh root@nas ({p})", "WLAN: Home, {p}", "🔐 {p}", "WIFI:T:WPA;S:Home;P:{p};;",
)  # fmt: skip
LISTS = (
    "Passwords: router={p}, nas={q}\n", "passwords (router={p}, nas={q})\n", "Passwörter: Router={p}; NAS={q}\n",
    "Passwörter (Router: {p}; NAS: {q})\n", "passwords: mail {p}; bank {q}\n", "Passwords: [[Router]]={p}, [[NAS]]={q}\n", "Passwords: <mail={p}> <nas={q}>\n",
    "Passwords\n1. {p}\n2. {q}\n", "# Passwords\n\n- {p}\n- {q}\n", "Passwords:\n- bank {p}\n- mail {q}\n", "# Passwords\n\nbank: {p}\n\nmail: {q}\n",
    "# Passwörter\n\nBank {p}\nMail {q}\n", "# Passwords\n\n| bank | {p} |\n|---|---|\n| mail | {q} |\n", "# Passwords\n## Bank\nuser jay\n{p}\n## Mail\njay\n{q}\n",
)  # fmt: skip
BELOW = (
    "Bank\njay@acme.org\n{p}\n", "## Bank\n- jay@acme.org\n- {p}\n", "- bank\n\t- <jay@acme.org>\n\t- {p}\n", "bank: jay@acme.org ({p})\n",
    "User: jay\n{p}\n", "Benutzername: jay\r\n{p}\r\n", "- [ ] **Login:** `jay`\n  {p}\n",
)  # fmt: skip

SHORT = (
    "u: jay p: {p}", "login jay/{p}", "ログイン：jay／{p}", "192.168.1.1 admin/{p}", "admin@192.168.1.1 {p}", "ssh jay@nas -> {p}", "bank jay@acme.org {p}",
    "P.W.: {p}", "LUKS: {p}", "ww: {p}", "SSID: Home\nKey: {p}", "WLAN: Home\nKanal: 11\nSchlüssel: {p}",
)  # fmt: skip
DIGITS = (
    "Password: {d}", "Passwort: {d}", "password {d}", "password is {d}.", "密码 {d}", "密码{d}", "密码：{d}", "パスワードは{d}です", "passcode for the iPad: {d}",
    "Password: {d} (old one)", "| Password | {d} |", "bike lock: {d}", "Kofferschloss {d}", "code CB : {d}", "Alarmanlage: {d}", "combination: {d}",
)  # fmt: skip
NO_DIGITS = (
    "Password length: 4711", "Passwords: 4711", "The password has 4711 characters", "password 2 of 3", "password: 30 days", "reset the password after 4711 tries",
    "a combination of 1024 features", "Password (2024)", "login users/profile2",
)  # fmt: skip


def hides(text: str, secret: str) -> bool:
    """Whether nothing of it is left: no six of its characters in a row."""
    found = redact(text).text
    return all(secret[start : start + 6] not in found for start in range(len(secret) - 5))


def hidden_both(layout: str, first: str, second: str) -> str:
    """The layout with both in it, of which nothing is left."""
    text = layout.format(p=first, q=second)
    assert hides(text, first)
    assert hides(text, second)
    return text


def fits(layout: str, password: str) -> bool:
    """Whether the password can stand in the layout as it is: no mark in it ends what is around it."""
    closing = {
        "'{p}'": "'", '"{p}"': '"', "`{p}`": "`", "<kbd>": "<&", "<td>": "<&", "CDATA": "<&]", "</Value>": "<&", "=={p}": "=", "**{p}": "*",
        "| {p} |": "|", "{p},": ",", "P:{p};": ";:\\,<$(", "-p'": "$",
    }  # fmt: skip
    return not any(sign in layout and set(marks) & set(password) for sign, marks in closing.items())


def showing(layouts: Iterable[str], password: str, name: str = "Password") -> list[str]:
    """The layouts that something of the password is left of."""
    return [layout for layout in layouts if not hides(layout.format(a=name, p=password), password)]


@pytest.mark.parametrize("kind", passwords())
def test_a_password_is_hidden_in_each_layout(kind: str) -> None:
    password = passwords()[kind]
    fitting = [layout for layout in (*LINES, *BLOCKS) if fits(layout, password)]
    assert len(fitting) > 40
    assert showing(fitting, password) == []


@pytest.mark.parametrize("kind", ["letters and digits", "words", "name and number"])
def test_a_password_is_hidden_in_files_and_on_command_lines(kind: str) -> None:
    assert showing(CODE, passwords()[kind]) == []


@pytest.mark.parametrize("kind", ["example in it", "dots in it"])
def test_what_looks_like_an_example_is_a_password_on_command_lines(kind: str) -> None:
    assert showing([layout for layout in CODE if " -" in layout], passwords()[kind]) == []


@pytest.mark.parametrize("code", ["836122", "4711471"])
def test_digits_are_a_password_where_a_name_says_so(code: str) -> None:
    assert [layout for layout in DIGITS if not hides(layout.format(d=code), code)] == []


def test_groups_of_digits_are_a_password_where_a_mark_ties_them_to_a_name() -> None:
    layouts = ("Password: {p}", "password is {p}.", "bike lock: {p}", "combination: {p}")
    assert showing(layouts, "83-61-22") == []


@pytest.mark.parametrize("name", NAMES)
def test_a_password_is_hidden_behind_its_name_in_each_language(name: str) -> None:
    layouts = ("{a}: {p}", "{a} – {p}", "{a} (2): {p}", "{a}:\n{p}", "İstanbul\n\n{a}: {p}")
    assert showing(layouts, passwords()["name and number"], name) == []


@pytest.mark.parametrize("kind", passwords())
def test_a_password_is_hidden_before_its_name_and_where_no_blank_parts_them(kind: str) -> None:
    assert showing((*WITHOUT_SPACES, *BEFORE), passwords()[kind]) == []


def test_a_password_is_hidden_beside_whom_it_belongs_to_and_in_a_short_line_of_a_user() -> None:
    assert showing((*PAIRS, *SHORT), passwords()["name and number"]) == []


@pytest.mark.parametrize(
    "layout",
    [
        "Tokens: ci={p}, deploy={q}\n", "Tokens (ci: {p}; deploy: {q})\n", "Tokens: ci={p} and deploy={q}\n", "API key: {p}, {q}\n",
        "API keys (weather {p}, maps {q})\n", "API-Schlüssel: Wetter={p}, Karte={q}\n", "GitHub tokens: ci {p}, deploy {q}\n",
    ],
)  # fmt: skip
def test_each_token_of_a_list_is_hidden_and_what_is_around_them_stays(layout: str) -> None:
    draw = random.Random(layout)
    first, second = ("".join(draw.choices(string.ascii_letters + string.digits, k=24)) for _ in range(2))
    text = hidden_both(layout, first, second)
    assert redact(text).text.endswith(text[-2:] if text[-2] == ")" else "]\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("passwords: {router: ", "}"), ("passwords: [", "]"), ("{password: ", "}"), ("(password: ", ")"), ("((password: ", "))"), ("[password: ", "]]"),
    ],
)  # fmt: skip
def test_brackets_around_a_secret_stay_and_one_that_closes_nothing_is_taken_for_its_part(
    before: str, after: str
) -> None:
    token = "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=12))
    stays = after[: sum(before.count(opening) for opening in "([{")]
    assert redact(f"{before}{token}{after}\n").text == f"{before}[REDACTED:named-password]{stays}\n"


def test_what_is_no_secret_ends_a_list_of_them() -> None:
    token = "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=24))
    rests = (
        ", expires 2026-12-31", ", 4 days left", "; see https://example.org/a1b2c3d4e5f6", ", user anna, port 5432", " and the deployment-guide-v2",
    )  # fmt: skip
    for rest in rests:
        assert redact(f"API key: {token}{rest}").text == f"API key: [REDACTED:named-secret]{rest}"


@pytest.mark.parametrize("kind", ["all punctuation", "sixes", "name and number", "example in it"])
def test_each_password_of_a_list_is_hidden(kind: str) -> None:
    for layout in LISTS:
        hidden_both(layout, passwords()["letters and digits"], passwords()[kind])


@pytest.mark.parametrize("kind", ["letters and digits", "sixes", "name and number", "example in it"])
def test_a_password_is_hidden_on_the_line_below_whom_it_belongs_to(kind: str) -> None:
    assert showing(BELOW, passwords()[kind]) == []


ORDINARY = (
    "Password: in KeePass", "Password: n/a", "Password: required", "password: reset on Monday", "password: forgotten", "Passwort: vergessen",
    "Contraseña: olvidada", "Mot de passe : oublié", "Пароль: забыл", "Password: Fingerprint", "password: expired", "Password – what makes it strong",
    "Password → see manager", "Passwort-Manager: KeePassXC", "Password policy: at least 12 characters, one digit.", "Your password must contain 8-64 characters.",
    "Common passwords: 123456, qwerty, letmein", "Password:: [[Bitwarden]]", 'password: "[[Vault/Passwords]]"', "> [!info] Password\n> Never share it.",
    "Password:\n- at least 12 characters", "Password:\n```\nlength >= 12\n```", "| Password | required |", "| Option | Meaning |\n|---|---|\n| --password | ask for it |",
    "password.encode(\"utf-8\")", "password = getpass.getpass()", "password: ${{{{ secrets.DB }}}}", "amqp://<user>:<password>@localhost:5432/vhost",
    "Boarding pass: LH-4711", "Pass: 12/15 students", "mountain pass: Stelvio", "compass: NNE", "PIN it to the board", "Card PIN pad broken", "The PIN changed in 2024.",
    "Door code of conduct", "Recovery codes explained", "License: CC-BY-SA-4.0", "Secrets of the trade: patience, practice", "The secret: add butter.",
    "x-ratelimit-reset-tokens: 362ms", "gpg: key 538C5827CCBCE3C0", "itemKey: ABCD2345", "key: jay2017attention", "密码：一种安全机制", "密码为空", "パスワードは「忘れた」",
    "Wi-Fi: 802.11ac", "user: jay / admin", "[password reset](https://acme.org/t/2021-01-17-reset-24)", "See https://acme.org/password/reset-2024-12",
    "Windows-10 (password reset)", "user2 = password holder", "Room B-204 = password office", "Top 10 = password mistakes", "JIRA-1234 (password reset)", "Change password (JIRA-1234)", "Password entropy: log2(94^12) bits", "ssh git@acme.org (RFC4251)",
    '"hunter2" is the password in the joke', "| Name | Password |\n|---|---|\n| Anna | changed / 2024 |", "7z x -p notes.7z", 'password: "[[Bitwarden]]"',
    "<table><tr><th>Site</th><th>Password</th></tr><tr><td>bank</td><td>KeePass</td></tr></table>", "anna@acme.org / 555-0142",
    "Hash the password with PBKDF2-SHA256 or argon2id.", "The password field takes UTF-8 and ISO-8859-1.", "IBAN DE89370400440532013000",
    "anna@acme.org (JIRA-1234)", "anna@acme.org\nJIRA-1234", "anna@acme.org\n+49 30 901820", "User: anna\nRoom: B-204", "User: anna\n2026-01-31",
    "## Passwords\n- at least 12 characters\n- no names of pets\n- see RFC4251", "Passwords:\n\n```php\nuse App\\Rules\\Password2x;\n```",
    "Password::defaults(function () {\n    $rule = Password::min(8)->rules([new ZxcvbnRule]);\n});",
)  # fmt: skip


def test_an_ordinary_line_stays() -> None:
    assert [line for line in (*ORDINARY, *NO_DIGITS) if redact(f"{line}\n").text != f"{line}\n"] == []
