-- Games and scripts of astragal in Neovim 0.7 and later: file types, colours, folds, indents and the language
-- server. `vim.g.astragal_path` names the program where it is not on the search path.

local program = vim.g.astragal_path or "astragal"
local server = { name = "astragal", cmd = { program, "lsp" } }
local languages = { astragal = "astragal", ["astragal-script"] = "astragal_script" }
local filetypes = vim.tbl_keys(languages)

local group = vim.api.nvim_create_augroup("astragal", {})
local function on(event, pattern, action)
  vim.api.nvim_create_autocmd(event, { group = group, pattern = pattern, callback = action })
end

for ending, filetype in pairs({ game = "astragal", script = "astragal-script" }) do
  on({ "BufRead", "BufNewFile" }, "*." .. ending, function()
    vim.bo.filetype = filetype
  end)
end

if vim.treesitter.language.register then
  vim.treesitter.language.register("astragal_script", "astragal-script")
end

local function colours(buffer, language)
  if vim.treesitter.start then
    vim.treesitter.start(buffer, language)
  else
    vim.treesitter.highlighter.new(vim.treesitter.get_parser(buffer, language))
  end
end

-- A line behind an open bracket is indented; one that begins with a closing bracket is not.
local indentation = [[indent(prevnonblank(v:lnum - 1)) + shiftwidth() * (]]
  .. [[(getline(prevnonblank(v:lnum - 1)) =~# '[{(\[]\s*\(#.*\)\?$') - (getline(v:lnum) =~# '^\s*[\])}]'))]]

local function prepare(event)
  local filetype = vim.bo[event.buf].filetype
  vim.bo.commentstring = "# %s"
  if not pcall(colours, event.buf, languages[filetype]) then
    vim.notify_once("astragal: there are no colours yet; docs/editor.md says how to build the parsers")
  end
  if filetype == "astragal" then
    vim.bo.expandtab, vim.bo.shiftwidth = true, 2
    vim.bo.indentexpr, vim.bo.indentkeys = indentation, "0},0),0],o,O"
    vim.wo.foldlevel = 99
    if vim.treesitter.foldexpr then
      vim.wo.foldmethod, vim.wo.foldexpr = "expr", "v:lua.vim.treesitter.foldexpr()"
    else
      vim.wo.foldmethod = "indent"
    end
  end
end

on("FileType", filetypes, prepare)

-- Neovim 0.11 starts servers itself, 0.8 when it is told to, 0.7 knows only clients.
local client
local function attach(event)
  if vim.lsp.start then
    return vim.lsp.start(server, { bufnr = event.buf })
  end
  client = client or vim.lsp.start_client(server)
  vim.lsp.buf_attach_client(event.buf, client)
end

if vim.lsp.config then
  vim.lsp.config("astragal", { cmd = server.cmd, filetypes = filetypes })
  vim.lsp.enable("astragal")
else
  on("FileType", filetypes, attach)
end

-- What the server offers to run is run in a terminal below.
for _, subcommand in ipairs({ "play", "run" }) do
  vim.lsp.commands["astragal." .. subcommand] = function(command)
    vim.cmd("silent! wall | botright new")
    vim.fn.termopen({ program, subcommand, command.arguments[1] })
    vim.cmd("startinsert")
  end
end
