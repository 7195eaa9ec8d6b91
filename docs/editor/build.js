// Makes what the package holds beside its sources: one file of code, and the licence.

const { copyFileSync } = require("fs");
const { buildSync } = require("esbuild");

buildSync({
  entryPoints: ["extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  minify: true,
  platform: "node",
  target: "node18",
  // VS Code itself provides it.
  external: ["vscode"],
});
copyFileSync("../../LICENSE", "LICENSE");
