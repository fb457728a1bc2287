// Runs axe-core on pages of build/site, at two widths, light and dark. `make site-axe` installs what it needs.
// Exit code 1: a serious or critical finding, or a request to another host. With a folder as argument, it also writes
// screenshots there.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const require = createRequire(path.join(root, "build/axe/"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((each) => existsSync(each));
if (!browserPath) {
  console.log("skipped: there is no Chromium on this machine");
  process.exit(0);
}
const pages = [
  "index", "tutorial/index", "how-to/index", "how-to/run-a-job", "how-to/hyperpod", "reference/hardware", "reference/cli",
  "reference/description", "rules/index", "rules/capacity/reservation-zone-matches-subnet", "explanation/rehearsals",
];
const folder = process.argv[2];
const browser = await puppeteer.launch({ executablePath: browserPath, args: ["--no-sandbox", "--allow-file-access-from-files"] });
let bad = 0;
let checked = 0;
for (const width of [1280, 390]) {
  for (const scheme of ["light", "dark"]) {
    for (const name of pages) {
      const page = await browser.newPage();
      await page.setViewport({ width, height: width === 390 ? 844 : 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      page.on("request", (request) => {
        if (/^https?:/.test(request.url())) {
          bad += 1;
          console.log(`${name}: requests ${request.url()}`);
        }
      });
      page.on("pageerror", (error) => console.log(`${name}: ${error.message}`));
      await page.goto(pathToFileURL(path.join(root, "build/site", `${name}.html`)).href, { waitUntil: "load" });
      await new Promise((resolve) => setTimeout(resolve, 400));
      await page.evaluate(axe);
      const result = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      checked += 1;
      for (const each of result.violations) {
        const serious = ["serious", "critical"].includes(each.impact);
        bad += serious ? 1 : 0;
        console.log(`${name} ${width} ${scheme}: ${each.impact}: ${each.id}: ${each.help} (${each.nodes.length}): ${each.nodes[0].html.slice(0, 160)}`);
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wide > 0) console.log(`${name} ${width}: the page is ${wide} px wider than the window`);
      if (folder) await page.screenshot({ path: path.join(folder, `${name.replaceAll("/", "-")}-${width}-${scheme}.png`) });
      await page.close();
    }
  }
}
await browser.close();
console.log(`${checked} pages: ${bad} serious or critical`);
process.exit(bad ? 1 : 0);
