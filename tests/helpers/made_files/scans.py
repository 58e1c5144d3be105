"""Scans as tests need them: words of three languages, drawn clean or as a bad scanner would."""

import io
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

_ENGLISH = """
ferry lantern harbour winter barrel kitchen ledger morning river bridge copper window garden letter market stone thread
timber village weather yellow anchor basket candle dinner engine forest glass hammer island journey ladder mirror needle
orange paper quarter ribbon silver tunnel
"""
_CHINESE = """
渡船 码头 灯笼 冬天 厨房 早上 河流 桥梁 窗户 花园 信件 市场 石头 村庄 天气 黄色 篮子 蜡烛 森林 玻璃 岛屿 旅行 镜子 橙子
纸张 银色 隧道 老师 学校 医院 图书 火车 电话 问题 朋友 音乐 历史 经济 世界 时间
"""
_JAPANESE = """
灯台 フェリー 港町 台所 朝食 橋梁 窓辺 手紙 市場 石段 天気 黄色 ろうそく 森林 ガラス 島影 旅行 鏡台 オレンジ 紙幣 銀色
トンネル 先生 学校 病院 図書館 電車 電話 問題 友達 音楽 歴史 経済 世界 時間 さくら みずうみ カメラ テーブル ひまわり
"""
WORDS = {"English": _ENGLISH.split(), "Chinese": _CHINESE.split(), "Japanese": _JAPANESE.split()}
FONTS = {
    "English": ("",),  # the one that Pillow carries
    "Chinese": ("/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",),
    "Japanese": ("/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf",),
}


def languages() -> list[str]:
    """Those that there is a font for on this machine."""
    return [language for language, fonts in FONTS.items() if all(not each or Path(each).exists() for each in fonts)]


_WIDTH, _MARGIN, _LINES, _A_LINE = 1_240, 80, 12, 6  # A4 at 150 dots an inch


@dataclass(frozen=True)
class Scan:
    """A picture and the words that stand on it."""

    png: bytes
    words: tuple[str, ...]

    def found(self, text: str) -> int:
        """How many of the words a text has; between Chinese and Japanese words there are no spaces."""
        plain = text.replace("\n", " ").lower()
        joined = "".join(plain.split())
        words = plain.replace(",", " ").replace(".", " ").split()
        return sum(word in words if word.isascii() else word in joined for word in self.words)


def scan(language: str, seed: int, *, noisy: bool) -> Scan:
    """A page of words of a language; the same one for the same seed."""
    chance = random.Random(f"{language}{seed}")
    words = [chance.choice(WORDS[language]) for _ in range(_LINES * _A_LINE)]
    between = " " if language == "English" else ""
    path, size = chance.choice(FONTS[language]), chance.choice((24, 28, 32))
    font = ImageFont.truetype(path, size) if path else ImageFont.load_default(size)
    page = Image.new("RGB", (_WIDTH, 900), "white")
    pen = ImageDraw.Draw(page)
    for line in range(_LINES):
        text = between.join(words[line * _A_LINE : (line + 1) * _A_LINE])
        pen.text((_MARGIN, _MARGIN + 60 * line), text, font=font, fill="black")
    out = io.BytesIO()
    (_worn(page, chance) if noisy else page).save(out, "PNG")
    return Scan(out.getvalue(), tuple(words))


def _worn(page: Image.Image, chance: random.Random) -> Image.Image:
    """Askew, blurred, grey on yellowish, with the noise of a sensor and the blocks of JPEG."""
    page = page.rotate(chance.uniform(-2, 2), expand=False, fillcolor="white", resample=Image.Resampling.BICUBIC)
    page = page.filter(ImageFilter.GaussianBlur(chance.uniform(0.9, 1.6)))
    pixels = np.asarray(page).astype(np.float32) * 0.5 + np.array([95, 90, 70], np.float32)
    pixels += np.random.default_rng(chance.randrange(1 << 30)).normal(0, 30, pixels.shape)
    spoilt = io.BytesIO()
    Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(spoilt, "JPEG", quality=30)
    return Image.open(spoilt)
