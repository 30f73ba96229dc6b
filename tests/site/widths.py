"""Pages in narrow and wide windows: `python -m tests.site.widths PAGE...` shows each in Chromium, 390 and
1280 pixels wide, and names what is wider than the window.

The page lies in a frame of that width, since windows of a browser without a screen are at least 500 wide.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from html import unescape
from pathlib import Path

WIDTHS = (390, 1280)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
LOOK = """<!doctype html><iframe src="{page}" style="border:0;width:{width}px;height:900px"></iframe>
<pre></pre><script>
const frame = document.querySelector("iframe");
frame.onload = () => {{
  const inside = frame.contentDocument, found = [];
  const scrolls = (e) => e && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
  for (const e of inside.body.querySelectorAll("*")) {{
    const box = e.getBoundingClientRect();
    if (box.width && (box.right > {width} + 1 || box.left < -1) && !scrolls(e.parentElement))
      found.push(`${{e.tagName.toLowerCase()}} ${{e.id || e.getAttribute("class") || ""}}`.trim());
  }}
  if (inside.documentElement.scrollWidth > {width}) found.unshift("the page");
  document.querySelector("pre").textContent = JSON.stringify(found);
}};
</script>"""


def browser() -> str | None:
    """The program, where there is one."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def too_wide(page: Path, width: int, program: str) -> list[str]:
    """The elements of a page that a window of this width cuts off."""
    with tempfile.TemporaryDirectory() as folder:
        look = Path(folder, "look.html")
        look.write_text(LOOK.format(page=page.resolve().as_uri(), width=width), encoding="utf-8")
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-web-security"]
        options += [f"--user-data-dir={folder}/user", "--allow-file-access-from-files", "--dump-dom"]
        done = subprocess.run(
            [program, *options, look.as_uri()], capture_output=True, text=True, check=True, timeout=100
        )
    found = re.search(r"<pre>(\[.*?\])</pre>", done.stdout, re.DOTALL)
    if found is None:
        raise RuntimeError(f"{program} did not show {page}: {done.stderr.strip()[-300:]}")
    elements: list[str] = json.loads(unescape(found[1]))
    return elements


def main() -> None:
    program = browser()
    if program is None:
        sys.exit("Chromium is not installed here")
    wide = 0
    for name in sys.argv[1:]:
        for width in WIDTHS:
            found = too_wide(Path(name), width, program)
            wide += len(found)
            print(f"{name}, {width} wide: {', '.join(found) or 'fits'}")
    sys.exit(1 if wide else 0)


if __name__ == "__main__":
    main()
