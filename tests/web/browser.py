"""The page in a headless Chromium, and its modules alone in node, where either is installed."""

import base64
import functools
import itertools
import json
import shutil
import subprocess
import tempfile
import time
from urllib.parse import quote

import numpy as np
import pytest

from pigevo.web.site import STATIC, rules_of

SECONDS = 60.0  # until something is waited for in vain, on a machine that may be busy
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-gl=swiftshader", "--enable-unsafe-swiftshader",
    "--renderer-process-limit=1",  # in a process in which its tab was before, a page reads an old sessionStorage
]  # fmt: skip
LEFT, UP, RIGHT, HOME, END, ENTER, TAB = "\ue012", "\ue013", "\ue014", "\ue011", "\ue010", "\ue007", "\ue004"
ESCAPE = "\ue00c"
"""Keys, as WebDriver writes them."""

NEEDED = "the page is tried in Chromium: apt-get install chromium chromium-driver, and make .venv/.page"


class Page:
    """A window of the browser, with the address of the page's server."""

    def __init__(self, address):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        self.address = address
        self._profile = tempfile.TemporaryDirectory(prefix="pigevo-page-", ignore_cleanup_errors=True)
        options = Options()
        options.binary_location = shutil.which("chromium")
        for flag in [*FLAGS, f"--user-data-dir={self._profile.name}", "--window-size=1280,900"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

    def close(self):
        """End the browser."""
        self.driver.quit()
        self._profile.cleanup()

    def open(self, words=""):
        """Load the page anew, with words after its address."""
        self.driver.get("about:blank")
        self.driver.get(self.address + words)

    def forget(self):
        """Delete what the page has stored in the browser."""
        self.store({})

    def store(self, texts):
        """Have these texts by key in both storages, and nothing else but the name of the tab, which has one from the first look on."""
        write = """const tab = sessionStorage.getItem("pigevo tab") ?? String(Date.now());
        for (const storage of [sessionStorage, localStorage]) {
            storage.clear(); for (const [key, text] of Object.entries(arguments[0])) storage.setItem(key, text); }
        sessionStorage.setItem("pigevo tab", arguments[0]["pigevo tab"] ?? tab);"""
        # Where no game is at work, which would store more; after a file, which is no page, old entries may come back.
        self.driver.get(f"{self.address}?look")
        self.run(write, texts)
        self.driver.get("about:blank")  # so that it asks for no more of its parts, which would count as the next page's

    def be_a_phone(self, width=360, height=640):
        """Have the width of a phone, and a touch screen."""
        size = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def be_a_desktop(self):
        """Have the usual width, no touch screen and no preferences."""
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        self.prefer()

    def prefer(self, media="", **features):
        """What the reader prefers: `color_scheme="dark"`, `reduced_motion="reduce"`; on paper with the media `print`."""
        wishes = [{"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": wishes})

    def all(self, selector):
        """The visible elements that match a selector."""
        script = (
            "return [...document.querySelectorAll(arguments[0])].filter((element) => element.getClientRects().length)"
        )
        return self.run(script, selector)

    def first(self, selector):
        """The first visible element; it is waited for."""
        self.wait(lambda: self.all(selector), selector)
        return self.all(selector)[0]

    def button(self, within, text):
        """The visible button with a text; it is waited for."""
        self.wait(lambda: self.all(f"{within} button"), text)
        return next(button for button in self.all(f"{within} button") if button.text == text)

    def choice(self, tab, number):
        """The visible list with this number in a tab: its options, and the choice of one of them."""
        from selenium.webdriver.support.select import Select

        return Select(self.all(f"#{tab} select")[number])

    def text(self, selector):
        """The text of the first visible element."""
        self.first(selector)
        script = (
            "return [...document.querySelectorAll(arguments[0])].find((element) => element.offsetParent)?.innerText"
        )
        return (self.run(script, selector) or "").strip()

    def values(self, selector):
        """All numbers within the elements that match a selector."""
        script = (
            "return [...document.querySelectorAll(`${arguments[0]} [data-value]`)].map((cell) => cell.dataset.value)"
        )
        return [float(value) for value in self.run(script, selector)]

    def press(self, *keys):
        """Press keys in the element that has the focus."""
        self.mouse().send_keys(*keys).perform()

    def mouse(self, duration=0):
        """Moves of the mouse, each of so many milliseconds."""
        from selenium.webdriver import ActionChains

        return ActionChains(self.driver, duration=duration)

    def run(self, script, *arguments):
        """The value that a script in the page returns."""
        return self.driver.execute_script(script, *arguments)

    def touch(self, *points):
        """Put a finger down at the first point, move it along the others, and take it off."""
        kinds = ["touchStart", *["touchMove"] * (len(points) - 1)]
        for kind, (x, y) in zip(kinds, points, strict=True):
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def middle(self, element, x=0.5, y=0.5):
        """A point in an element, by shares of its width and height, that is scrolled to."""
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        script = "const box = arguments[0].getBoundingClientRect(); return [box.x, box.y, box.width, box.height];"
        left, top, width, height = self.run(script, element)
        return left + x * width, top + y * height

    def ends(self, selector):
        """The top and the bottom of the first visible element, from the top of the window."""
        script = "const { top, bottom } = arguments[0].getBoundingClientRect(); return [top, bottom];"
        return self.run(script, self.first(selector))

    def wait(self, condition, what=""):
        """Wait until a condition holds."""
        until = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < until, f"waited in vain for {what or condition}; there is {self.shown()}"
            time.sleep(0.02)

    def shown(self):
        """The address, the element that has the focus, and the beginning of the text that can be read."""
        script = """const { tagName, id, className } = document.activeElement;
            return [location.href, [tagName, id, className].join(" "), document.querySelector("main")?.innerText.slice(0, 1500)];"""
        return self.run(script)

    def picture(self, path):
        """Write a picture of the whole page."""
        screenshot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(screenshot["data"]))

    def complaints(self):
        """Messages of the console since the last call, but for those about the speed of the graphics driver."""
        messages = [entry["message"] for entry in self.driver.get_log("browser")]
        return [message for message in messages if "GL Driver Message" not in message]

    def requested(self):
        """The addresses that were requested since the last call."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="the page's modules are tried in node, which is not installed")

READ = """
import { readFileSync, writeFileSync } from "node:fs";
const read = (name) => new Uint8Array(readFileSync(`${place}/${name}`));
const write = (name, array) => writeFileSync(`${place}/${name}`, new Uint8Array(array.buffer));
const say = (value) => { globalThis.said = value; };
"""
LISTEN = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  globalThis.said = null;
  const failed = await import(JSON.parse(line)).then(() => undefined, (error) => String(error?.stack ?? error));
  console.log(JSON.stringify({ failed, said: globalThis.said }));
}
"""
CALLS = itertools.count()


@functools.cache
def node():
    """A process that imports a module from each line that it reads; it ends with this process."""
    command = [NODE, "--input-type=module", "-e", LISTEN]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run(script, folder, game=None, **rolls):
    """What a script says, as JSON; it may import the page's modules as `./js/...`.

    Args:
        script: of node, which may call `read(name)`, `write(name, array)` and `say(value)`.
        folder: where it reads and writes.
        game: what it has as `game`: the rules as the page has them.
        rolls: arrays that it may read, as bytes.
    """
    for name, roll in rolls.items():
        (folder / name).write_bytes(np.ascontiguousarray(roll, dtype=np.uint8).tobytes())
    rules = {"sides": getattr(game, "sides", None), **rules_of("it", game)} if game else None
    script = f"const place = {json.dumps(str(folder))}, game = {json.dumps(rules)};{READ}{script}"
    script = script.replace('"./js/', f'"{STATIC.as_uri()}/js/')
    script += f"// {next(CALLS)}"  # node runs a module of the same address only once
    listening = node()
    listening.stdin.write(json.dumps(f"data:text/javascript,{quote(script)}") + "\n")
    listening.stdin.flush()
    done = json.loads(listening.stdout.readline())
    assert "failed" not in done, done["failed"]
    return done["said"]


def written(path, shape, kind=np.uint8):
    """The array that a script has written."""
    return np.frombuffer(path.read_bytes(), kind).reshape(shape)
