"""A headless Chromium that looks at the page."""

import base64
import json
import shutil
import tempfile
import time

SECONDS = 20.0
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-gl=swiftshader", "--enable-unsafe-swiftshader",
]  # fmt: skip
NEEDED = "the page is tried in Chromium: apt-get install chromium chromium-driver, and pip install selenium"


class Page:
    """A window of the browser, and what it has said and asked for since it was opened.

    Args:
        address: of the page's server.
        folder: where pictures go.
    """

    def __init__(self, address, folder):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        self.address, self.folder = address, folder
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
        """Forget what the page has kept in the browser."""
        self.driver.get("about:blank")  # where no page is at work, which would keep more
        what = {"origin": self.address, "storageTypes": "local_storage"}
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", what)

    def be_a_phone(self, width=360, height=640):
        """Be as wide as a phone, and have a finger."""
        size = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def be_a_desktop(self):
        """Be what it was."""
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        self.prefer()

    def prefer(self, **features):
        """What the reader prefers: `color_scheme="dark"`, `reduced_motion="reduce"`."""
        features_of_media = [
            {"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features_of_media})

    def all(self, selector):
        """The visible elements that match a selector."""
        script = (
            "return [...document.querySelectorAll(arguments[0])].filter((element) => element.getClientRects().length)"
        )
        return self.run(script, selector)

    def button(self, within, text):
        """The visible button with a text; it is waited for."""
        self.wait(lambda: self.all(f"{within} button"), text)
        return next(button for button in self.all(f"{within} button") if button.text == text)

    def one(self, selector):
        """The first that can be seen; it is waited for."""
        self.wait(lambda: self.all(selector), selector)
        return self.all(selector)[0]

    def text(self, selector):
        """What the one that can be seen says."""
        self.one(selector)
        script = "return [...document.querySelectorAll(arguments[0])].find((one) => one.offsetParent)?.innerText ?? ''"
        return self.run(script, selector).strip()

    def value(self, selector):
        """The number, with all its digits, that it shows."""
        return self.values(selector)[0]

    def values(self, selector):
        """All numbers within what a selector finds."""
        script = "return [...document.querySelectorAll(`${arguments[0]} [data-value]`)].map((one) => one.dataset.value)"
        return [float(value) for value in self.run(script, selector)]

    def press(self, *keys):
        """Press keys where the keyboard is."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def run(self, script, *arguments):
        """What a script in the page returns."""
        return self.driver.execute_script(script, *arguments)

    def touch(self, *points):
        """Put a finger down at the first point, move it along the others, and take it off."""
        kinds = ["touchStart", *["touchMove"] * (len(points) - 1)]
        for kind, (x, y) in zip(kinds, points, strict=True):
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def middle(self, element, x=0.5, y=0.5):
        """A point in an element, by shares of its width and height, that is scrolled to."""
        script = "arguments[0].scrollIntoView({block: 'center'}); const b = arguments[0].getBoundingClientRect(); return [b.x, b.y, b.width, b.height];"
        left, top, width, height = self.run(script, element)
        return left + x * width, top + y * height

    def wait(self, condition, what=""):
        """Wait until a condition holds."""
        until = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < until, f"waited in vain for {what or condition}"
            time.sleep(0.02)

    def picture(self, name):
        """Keep a picture of the whole page."""
        screenshot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
        (self.folder / f"{name}.png").write_bytes(base64.b64decode(screenshot["data"]))

    def complaints(self):
        """What the console has said since it was last asked, but for how fast the driver of the graphics is."""
        messages = [entry["message"] for entry in self.driver.get_log("browser")]
        return [message for message in messages if "GL Driver Message" not in message]

    def requested(self):
        """The addresses that were asked for since it was last asked."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
