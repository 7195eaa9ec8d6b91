// Starts `astragal lsp`, connects the editor with it, and runs games and scripts in a terminal.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { commandLine } = require("./shell");

let client;

const program = () => vscode.workspace.getConfiguration("astragal").get("path", "astragal");

async function start() {
  const command = program();
  // Without a `transport`, since that would add `--stdio`, which the program does not know.
  const server = { command, args: ["lsp"] };
  const documentSelector = [{ language: "astragal" }, { language: "astragal-script" }];
  client = new LanguageClient("astragal", "astragal", server, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `\`${command} lsp\` cannot be started: ${error.message}. Is \`astragal.path\` right?`
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

// The file that a command is about: a path, what a menu passes, or the file in the editor.
function fileOf(argument) {
  if (typeof argument == "string") return argument;
  const uri = argument?.fsPath ? argument : vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme == "file" ? uri.fsPath : undefined;
}

async function save(file) {
  const open = vscode.workspace.textDocuments.find((it) => it.uri.fsPath == file);
  return !open?.isDirty || open.save();
}

function terminal(name) {
  const open = vscode.window.terminals.find((it) => it.name == name && it.exitStatus === undefined);
  // A game that still runs in it would take the command line for a move.
  if (name != "astragal play") return open ?? vscode.window.createTerminal(name);
  open?.dispose();
  return vscode.window.createTerminal(name);
}

async function runInTerminal(subcommand, argument) {
  const file = fileOf(argument);
  if (file === undefined) {
    vscode.window.showErrorMessage("Open a .game or .script file that is saved on this machine.");
  } else if (await save(file)) {
    const shown = terminal(`astragal ${subcommand}`);
    shown.show();
    shown.sendText(commandLine(vscode.env.shell, [program(), subcommand, file]));
  } else {
    vscode.window.showErrorMessage(`${file} cannot be saved.`);
  }
}

async function activate(context) {
  const register = (name, action) =>
    context.subscriptions.push(vscode.commands.registerCommand(`astragal.${name}`, action));
  register("play", (argument) => runInTerminal("play", argument));
  register("run", (argument) => runInTerminal("run", argument));
  register("restart", async () => {
    await stop();
    await start();
  });
  await start();
}

module.exports = { activate, deactivate: stop };
