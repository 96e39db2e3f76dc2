// Asks mermaid's own parser about each file: one JSON line each, "" where it reads it, else what it says.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [installed, ...files] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${installed}/mermaid/package.json`));
const { JSDOM } = require("jsdom");
// mermaid cleans labels with a browser's DOM.
const { window } = new JSDOM("<!doctype html><body></body>");
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import(pathToFileURL(`${installed}/mermaid/dist/mermaid.core.mjs`));
mermaid.initialize({ startOnLoad: false });

for (const file of files) {
  let problem = "";
  try {
    await mermaid.parse(readFileSync(file, "utf8"));
  } catch (error) {
    problem = String(error.message ?? error).slice(0, 500);
  }
  console.log(JSON.stringify(problem));
}
