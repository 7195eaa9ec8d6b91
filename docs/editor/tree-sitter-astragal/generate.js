// Generates both parsers. It needs the program `tree-sitter`, version 0.27.

const { execFileSync } = require("child_process");
const { join } = require("path");

for (const name of ["astragal", "astragal_script"]) {
  // Neovim before 0.11 reads no newer parsers than those of ABI 14.
  execFileSync("tree-sitter", ["generate", "--abi", "14"], { cwd: join(__dirname, name), stdio: "inherit" });
}
