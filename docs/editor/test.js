// Drives the packed extension: unpacks the .vsix if there is one, else takes dist/extension.js, loads it with a stand-in
// for VS Code, and looks at what it does with the real `astragal lsp` and a real shell. `ASTRAGAL` names the
// program; without it, it is `astragal` on the search path.

const assert = require("assert");
const { execFileSync } = require("child_process");
const { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } = require("fs");
const Module = require("module");
const { tmpdir } = require("os");
const { join, resolve } = require("path");
const { test, before, after } = require("node:test");
const { commandLine } = require("./shell");

const program = process.env.ASTRAGAL ? resolve(process.env.ASTRAGAL) : "astragal";
const PATIENCE = 20_000;
const folder = mkdtempSync(join(tmpdir(), "astragal-"));

// ------------------------------------------------------------------------------- a stand-in for VS Code

class Emitter {
  listeners = new Set();
  event = (listener, self) => {
    const bound = listener.bind(self);
    this.listeners.add(bound);
    return { dispose: () => this.listeners.delete(bound) };
  };
  fire = (value) => Promise.all([...this.listeners].map((listener) => listener(value)));
  dispose() {}
}

// All else that the client of the protocol touches: a class, a function, an event.
function anything() {
  return new Proxy(class {}, {
    get: (target, name) => {
      if (name == Symbol.toPrimitive) return () => 0;
      if (name == "then" || typeof name == "symbol") return undefined;
      if (!(name in target)) target[name] = anything();
      return target[name];
    },
    apply: () => ({ dispose() {}, event: () => ({ dispose() {} }) }),
  });
}

const withFallback = (known) => {
  const rest = anything();
  return new Proxy(known, { get: (target, name) => (name in target ? target[name] : rest[name]) });
};

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(...places) {
    const [line, character, endLine, endCharacter] = places;
    this.start = places.length == 2 ? places[0] : new Position(line, character);
    this.end = places.length == 2 ? places[1] : new Position(endLine, endCharacter);
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
class Uri {
  constructor(path) {
    Object.assign(this, { scheme: "file", path, fsPath: path });
  }
  toString() {
    return `file://${this.path}`;
  }
  static parse = (text) => new Uri(decodeURIComponent(text.replace("file://", "")));
  static file = (path) => new Uri(path);
}
class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
  cancel() {}
  dispose() {}
}

class Disposable {
  constructor(end) {
    this.dispose = end ?? (() => {});
  }
  static from = (...all) => new Disposable(() => all.forEach((it) => it.dispose()));
}

const opened = new Emitter();
const diagnosed = new Emitter();
const commands = {};
const errors = [];
const terminals = [];
const documents = [];

const vscode = withFallback({
  version: "1.82.0",
  Position,
  Range,
  Diagnostic,
  Uri,
  CancellationTokenSource,
  Disposable,
  EventEmitter: Emitter,
  env: withFallback({ shell: "/bin/sh", language: "en", appName: "stand-in" }),
  commands: withFallback({
    registerCommand: (name, action) => {
      commands[name] = action;
      return { dispose() {} };
    },
  }),
  window: withFallback({
    activeTextEditor: undefined,
    terminals,
    tabGroups: withFallback({ all: [] }),
    visibleTextEditors: [],
    showErrorMessage: async (text) => void errors.push(text),
    createOutputChannel: () => withFallback({ append() {}, appendLine() {}, show() {}, dispose() {} }),
    createTerminal: (name) => {
      const made = { name, lines: [], show() {}, sendText: (line) => made.lines.push(line) };
      made.dispose = () => terminals.splice(terminals.indexOf(made), 1);
      terminals.push(made);
      return made;
    },
  }),
  languages: withFallback({
    match: (selector, document) => selector.some((it) => it.language == document.languageId) && 10,
    createDiagnosticCollection: () => ({
      set: (uri, list) => diagnosed.fire([uri.fsPath, list]),
      delete() {},
      clear() {},
      dispose() {},
    }),
  }),
  workspace: withFallback({
    textDocuments: documents,
    notebookDocuments: [],
    workspaceFolders: undefined,
    onDidOpenTextDocument: opened.event,
    getConfiguration: () => ({ get: (name, other) => (name == "path" ? program : other) }),
  }),
});

const load = Module._load;
Module._load = (name, ...rest) => (name == "vscode" ? vscode : load(name, ...rest));

// ------------------------------------------------------------------------------- the extension

let extension;

function packed() {
  const made = readdirSync(__dirname).find((name) => name.endsWith(".vsix"));
  if (!made) return join(__dirname, "dist/extension.js");
  execFileSync("unzip", ["-q", join(__dirname, made), "-d", join(folder, "packed")]);
  const home = join(folder, "packed/extension");
  return join(home, JSON.parse(readFileSync(join(home, "package.json"))).main);
}

before(async () => {
  const code = packed();
  assert(existsSync(code), `${code}: run \`npm run package\` first`);
  extension = require(code);
  await extension.activate({ subscriptions: [] });
  assert.deepEqual(errors, []);
});

after(async () => {
  await extension.deactivate();
  rmSync(folder, { recursive: true });
});

function open(name, languageId, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  const document = { uri: Uri.file(path), languageId, version: 1, isDirty: false, getText: () => text };
  documents.push(document);
  return document;
}

// Opens a file and returns the messages about it.
function diagnostics(...file) {
  const document = open(...file);
  return new Promise((done, fail) => {
    const patience = setTimeout(() => fail(new Error("the server says nothing")), PATIENCE);
    diagnosed.event(([path, list]) => {
      if (path != document.uri.fsPath) return;
      clearTimeout(patience);
      done(list.map(({ message, range }) => `${range.start.line + 1}: ${message.split("\n")[0]}`));
    });
    opened.fire(document);
  });
}

test("the server that the extension starts reports errors of games", async () => {
  const text = 'game "Pairs" { players 2 }\n\nplay { finish win nobody }\n';
  const found = await diagnostics("pairs.game", "astragal", text);
  assert.equal(found.length, 1);
  assert.match(found[0], /^3: .*`nobody`/);
});

test("the server that the extension starts reports errors of scripts", async () => {
  const found = await diagnostics("pairs.script", "astragal-script", "game pairs.game\nplyers Ann, Ben\n");
  assert.equal(found.length, 1);
  assert.match(found[0], /^2: .*`plyers Ann, Ben`/);
});

test("every command of the manifest is there", () => {
  const manifest = JSON.parse(readFileSync(join(__dirname, "package.json")));
  const named = manifest.contributes.commands.map((it) => it.command);
  assert.deepEqual(Object.keys(commands).sort(), named.sort());
});

test("play and run open a terminal with the file", async () => {
  await commands["astragal.play"]("/games/it's a game.game");
  assert.equal(terminals.length, 1);
  const [line] = terminals[0].lines;
  assert(line.endsWith(` play '/games/it'\\''s a game.game'`), line);

  vscode.window.activeTextEditor = { document: open("a.script", "astragal-script", "") };
  await commands["astragal.run"]();
  await commands["astragal.run"]();
  assert.deepEqual(terminals.map((it) => [it.name, it.lines.length]), [
    ["astragal play", 1],
    ["astragal run", 2],
  ]);
  assert(terminals[1].lines[0].endsWith(` run ${join(folder, "a.script")}`), terminals[1].lines[0]);
  assert.deepEqual(errors, []);
});

test("a file that nothing saved is not played", async () => {
  const document = open("b.game", "astragal", "");
  Object.assign(document, { isDirty: true, save: async () => false });
  const before = terminals.length;
  await commands["astragal.play"](document.uri.fsPath);
  assert.equal(errors.length, 1);
  assert.equal(terminals.length, before);
});

test("shells read each word as it is", () => {
  const words = ["a b", "it's", '"', "$HOME `x` \\ %PATH% ;&|", "plain"];
  const printed = execFileSync("sh", ["-c", commandLine("/bin/sh", ["printf", "%s\n", ...words])]);
  assert.equal(printed.toString(), words.map((word) => `${word}\n`).join(""));
  const windows = ["C:\\Program Files\\astragal.exe", "run", "C:\\it's.script"];
  assert.equal(
    commandLine("C:\\Windows\\powershell.exe", windows),
    "& 'C:\\Program Files\\astragal.exe' run 'C:\\it''s.script'"
  );
  assert.equal(
    commandLine("C:\\Windows\\cmd.exe", windows),
    '"C:\\Program Files\\astragal.exe" run "C:\\it\'s.script"'
  );
});
