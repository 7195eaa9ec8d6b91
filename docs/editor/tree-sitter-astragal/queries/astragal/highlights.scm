; Colours of games, under names that Helix and Neovim both know. No two patterns fit the same node: editors
; differ in which of them wins.

(comment) @comment.line
(note) @comment.line.documentation

(declaration_word) @keyword
(control_word) @keyword.control
(action_word) @keyword
(operator_word) @keyword.operator
(builtin_function) @function.builtin
(builtin_constant) @constant.builtin
(builtin_type) @type.builtin

(type) @type
(number) @constant.numeric
(operator) @operator
(content) @string
(string "\"" @string)
(escape) @constant.character.escape
(hole ["{" "}"] @punctuation.special)

(rule_declaration name: (identifier) @function)
(moves_declaration name: (identifier) @function)
(call function: (identifier) @function)

(constant_declaration name: (identifier) @constant)
(table_declaration name: (identifier) @constant)
(measure_declaration name: (identifier) @constant)

(rule_declaration (arguments (label name: (identifier) @variable.parameter)))
(moves_declaration (arguments (label name: (identifier) @variable.parameter)))
(has_declaration (block (label name: (identifier) @variable.other.member)))
(field_name) @variable.other.member

((cell) @type (#match? @type "^[A-Z]"))
((cell) @constant.builtin (#match? @constant.builtin "^(yes|no|none)$"))
((cell) @constant (#not-match? @constant "^([A-Z].*|yes|no|none)$"))

(block ["{" "}"] @punctuation.bracket)
(drawn ["{" "}"] @punctuation.bracket)
(group ["(" ")"] @punctuation.bracket)
(arguments ["(" ")"] @punctuation.bracket)
(index ["[" "]"] @punctuation.bracket)
["," ";" ":" "."] @punctuation.delimiter
