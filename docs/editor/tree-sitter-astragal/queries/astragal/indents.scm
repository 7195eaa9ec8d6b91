; Helix reads the first name of each, the plugin nvim-treesitter the others.
[
  (block)
  (drawn)
  (group)
  (arguments)
  (index)
] @indent @indent.begin

[
  "}"
  ")"
  "]"
] @outdent @indent.branch @indent.end
