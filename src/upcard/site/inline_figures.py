"""Embeds matplotlib figures: small, with unique ids, in the page's colours.

A figure is drawn once, in the light theme. Every colour of the theme becomes a CSS variable, so that the
figure follows the reader's light or dark setting.
"""

from __future__ import annotations

import re

from upcard.site.markup import Html, text
from upcard.study.figures.figure_style import DARK, LIGHT, Theme

_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_STYLE = re.compile(r'style="([^"]*)"')
_REFERENCE = re.compile(r'(href="#|url\(#)([^")]+)')
_ID = re.compile(r' id="([^"]*)"')
_LONG = re.compile(r"scale\([^)]*\)|-?\d+\.\d{3,}")
"""Numbers to shorten; the scale of letters must stay exact."""


def variables(theme: Theme) -> dict[str, str]:
    """The page's CSS variables for the colours of a theme."""
    named = {"surface": theme.paper, "ink": theme.ink, "line": theme.faint, "soft": theme.quiet}
    return named | {f"c{number}": colour for number, colour in enumerate(theme.colours)}


def css_variables(theme: Theme) -> str:
    """The same as CSS."""
    return " ".join(f"--{name}: {colour};" for name, colour in variables(theme).items())


_NAMES = {colour: f"var(--{name})" for name, colour in variables(LIGHT).items()}
assert len(_NAMES) == len(variables(LIGHT)), "a colour of the light theme must tell what it is for"
assert len(variables(LIGHT)) == len(variables(DARK)), "both themes have the same parts"


def inline(svg: str, name: str, about: str) -> Html:
    """An SVG file as an element of a page. `name` prefixes its ids; screen readers read `about`."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<!--.*?-->\s*", "", body, flags=re.DOTALL)
    body = re.sub(r"<metadata>.*?</metadata>\s*", "", body, flags=re.DOTALL)
    # a global style rule would apply to the whole page
    body = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>\s*", "", body, flags=re.DOTALL)
    body = body.replace("xlink:href", "href")
    references = dict.fromkeys(match for _, match in _REFERENCE.findall(body))
    names = {old: f"{name}-{number}" for number, old in enumerate(references)}
    body = _ID.sub(lambda match: f' id="{names[match[1]]}"' if match[1] in names else "", body)
    body = _REFERENCE.sub(lambda match: f"{match[1]}{names[match[2]]}", body)
    body = _STYLE.sub(lambda match: f'style="{_in_page_colours(match[1])}"', body)
    body = _LONG.sub(lambda match: _shorter(match[0]), body)
    body = re.sub(r">\s+<", "><", body).strip()
    box = re.search(r'viewBox="[^"]*"', body)
    assert box is not None, "matplotlib says how large its figures are"
    start = f'<svg class="plot" {box[0]} role="img" aria-label="{text(about)}">'
    return Html(start + body[body.index(">") + 1 :])


def _shorter(number: str) -> str:
    return number if number.startswith("scale") else f"{float(number):.2f}".rstrip("0").rstrip(".")


def _in_page_colours(style: str) -> str:
    return _COLOUR.sub(lambda match: _NAMES.get(match[0], match[0]), style)
