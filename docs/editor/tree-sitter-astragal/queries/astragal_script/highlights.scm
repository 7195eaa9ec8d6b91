; Colours of scripts, under names that Helix and Neovim both know. No two patterns fit the same node: editors
; differ in which of them wins.

(comment) @comment.line
(keyword) @keyword
(output) @string

(header (text) @string)
(option name: (identifier) @constant)
(option "=" @operator)
(option (text) @constant)

(draw "*" @keyword.operator)
(event) @keyword
(draw ":" @punctuation.delimiter)
(draw (text) @constant)

(player) @type
(move name: (plain_word) @function)
(check "?" @keyword.operator)
(refused "!" @keyword.operator)
((plain_word) @keyword (#eq? @keyword "because"))
(quoted) @string
(known ["failure" "because"] @keyword)
(result "=" @keyword.operator)
(result (text) @constant)

; The code after `?`, `set` and `do` is that of games.
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
(call function: (identifier) @function)
(field_name) @variable.other.member
(block ["{" "}"] @punctuation.bracket)
(group ["(" ")"] @punctuation.bracket)
(arguments ["(" ")"] @punctuation.bracket)
(index ["[" "]"] @punctuation.bracket)
["," ";" "."] @punctuation.delimiter
