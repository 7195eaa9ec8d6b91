; The names of Helix.
[
  (rule_declaration (block)? @function.inside)
  (moves_declaration (block)? @function.inside)
  (flow_declaration (block)? @function.inside)
] @function.around

(kind_declaration (drawn)? @class.inside) @class.around
(has_declaration (block) @class.inside) @class.around

(arguments (label) @parameter.inside)
(drawn (cell) @entry.inside)

[
  (comment)
  (note)
] @comment.inside
