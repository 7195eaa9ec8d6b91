// Starts `astragal lsp` and connects the editor with it.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = vscode.workspace.getConfiguration("astragal").get("path", "astragal");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
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

async function activate(context) {
  const restart = vscode.commands.registerCommand("astragal.restart", async () => {
    await stop();
    await start();
  });
  context.subscriptions.push(restart);
  await start();
}

module.exports = { activate, deactivate: stop };
