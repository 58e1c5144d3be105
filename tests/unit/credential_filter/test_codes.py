"""Names of people, dates, times, prices and years are no codes; codes go on being hidden."""

# ruff: noqa: E501 - tables of lines

from scrubjay.credential_filter import redact

NO_CODE = (
    "Decided by: Mei Tan, on 2026-05-27.", "Mei Tan: 2026-05-27 call", "| Mei Tan | 2026-05-27 |", "Ask Mei Tan at 17:30 about 3500 rows",
    "Meeting with Mei Tan on 2026-05-27 about 3500 rows", "Tan Wei Ming 12345", "Linda Pin, on 2026-05-27", "Linda Pin (2024)", "Pin 3500 notes",
    "The tan sofa costs 1299 euros", "TAN: 2026-05-27", "PIN - 27.05.2026", "PIN: 1299 €", "The PIN is 12:30", "Tan & Co: 1299 EUR", "tan leather 4500 km",
    "Mei Tan: 2024", "Ms Tan is 1400 km away", "Tan Wei: 3500 rows", "- Mei Tan - 20260527 standup", "PIN pad delivered 27/05/2026", "Amy Tan - 1989 novel",
    "Mei Tan | 3500 | rows", "Order 66 pins for 1500 dollars", "The alarm panel was installed 2019-04-02",
)  # fmt: skip
CODES = (
    ("TAN: {}", "483920"), ("PIN {}", "4711"), ("Meine PIN ist {}", "4711"), ("Meine Pin ist {}", "4711"), ("Pin: {}", "4711"), ("pin {}", "4711"),
    ("Meine Pin {}", "4711"), ("| PIN | {} |", "4711"), ("PIN: {}", "1984"), ("Card PIN = {}", "4711"), ("Bank Pin: {}", "4711"), ("tan {}", "483920"),
    ("The PIN for the bank is {}.", "4711"), ("PIN of the card {}", "4711"), ("PIN code: {}", "47 11 08"), ("Door code {}#", "4711"),
    ("EC-PIN: {}", "8361"), ("Handy-PIN {}", "8361"), ("暗証コードは{}です", "8361"), ("取款密码{}", "836122"),
    ("BitLocker recovery key: {}", "-".join(str(number * 11_003) for number in range(20, 28))),
)  # fmt: skip


def test_a_name_a_date_a_time_and_a_price_stay() -> None:
    assert [line for line in NO_CODE if redact(f"{line}\n").text != f"{line}\n"] == []


def test_a_code_is_hidden() -> None:
    assert [layout for layout, code in CODES if code in redact(f"{layout.format(code)}\n").text] == []
