// Command lines for the shell that a terminal runs.

// Names that every shell takes as they are.
const PLAIN = /^[A-Za-z0-9_./:@+-]+$/;

const base = (path) => path.replace(/^.*[\\/]/, "").replace(/\.exe$/i, "").toLowerCase();

const QUOTES = {
  cmd: (text) => `"${text}"`,
  powershell: (text) => `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`,
  fish: (text) => `'${text.replace(/[\\']/g, "\\$&")}'`,
  posix: (text) => `'${text.replace(/'/g, "'\\''")}'`,
};

function family(shell) {
  const name = base(shell);
  if (name == "pwsh" || name == "powershell") return "powershell";
  return name == "cmd" || name == "fish" ? name : "posix";
}

// Returns the line that runs `words` in `shell`, each word as it is.
function commandLine(shell, words) {
  const kind = family(shell);
  const quoted = words.map((word) => (PLAIN.test(word) ? word : QUOTES[kind](word)));
  // A quoted word alone is a text to PowerShell, not a program.
  const call = kind == "powershell" && quoted[0] != words[0] ? "& " : "";
  return call + quoted.join(" ");
}

module.exports = { commandLine };
