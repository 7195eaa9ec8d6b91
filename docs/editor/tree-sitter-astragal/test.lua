-- Run by test.sh in Neovim: every file of the list parses without an error, and the queries fit the grammars.

local failed = {}

local query = vim.treesitter.query.get or vim.treesitter.query.get_query
local queries = {
  astragal = { "highlights", "folds", "indents", "textobjects" },
  astragal_script = { "highlights" },
}
for language, names in pairs(queries) do
  for _, name in ipairs(names) do
    local fits, result = pcall(query, language, name)
    if not fits or #result.captures == 0 then
      table.insert(failed, language .. "/" .. name .. ".scm: " .. tostring(result))
    end
  end
end

local count = 0
for path in io.lines("parser/files") do
  local language = path:match("%.game$") and "astragal" or "astragal_script"
  local file = assert(io.open(path))
  local tree = vim.treesitter.get_string_parser(file:read("*a"), language):parse()[1]
  file:close()
  count = count + 1
  if tree:root():has_error() then
    table.insert(failed, path)
  end
end

print(count .. " files parse in Neovim, " .. #failed .. " mistakes\n")
for _, line in ipairs(failed) do
  print(line .. "\n")
end
vim.cmd((#failed == 0 and count > 0) and "qall!" or "cquit!")
