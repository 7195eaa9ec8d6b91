// The grammar of `.script` files for editors: line by line, as docs/scripts.md lists them.

const { items } = require("../items");

// The first word of a line and the space behind it, before a name with `>` is tried.
const first = ($, ...words) =>
  alias(token(prec(2, seq(words.length == 1 ? words[0] : choice(...words), /[ \t]+/))), $.keyword);

module.exports = grammar({
  name: "astragal_script",

  extras: ($) => [/[ \t\r]/, $.comment],
  word: ($) => $.identifier,

  rules: {
    source_file: ($) => seq(repeat(seq(optional($._line), "\n")), optional($._line)),

    comment: () => token(/#[^\n]*/),

    _line: ($) =>
      choice(
        $.header,
        $.option,
        $.count,
        $.moves,
        $.end,
        $.part,
        $.known,
        $.limit,
        $.statement,
        $.check,
        $.draw,
        $.decision,
        $.refused,
        $.result,
        $.output
      ),

    header: ($) => seq(first($, "game", "players", "tags"), $.text),
    option: ($) =>
      seq(first($, "option"), field("name", alias(/[A-Za-z][A-Za-z0-9_]*/, $.identifier)), "=", $.text),
    count: ($) => seq(first($, "seed", "bot"), $.number, optional($.text)),
    moves: ($) => alias(token(prec(1, "moves")), $.keyword),
    end: ($) => alias(token(prec(1, "end")), $.keyword),
    part: ($) => seq(first($, "include", "case"), $.quoted),
    known: ($) => seq(first($, "known"), "failure", "because", $.quoted),
    limit: ($) => seq(first($, "limit"), $.number, "s"),
    statement: ($) => seq(first($, "set", "do"), repeat1($._item)),
    check: ($) => seq("?", repeat1($._item)),
    draw: ($) => seq("*", alias(/[a-z]+/, $.event), optional(alias(/[^\s:][^:\n]*/, $.subject)), ":", $.text),
    decision: ($) => seq($.player, $.move),
    refused: ($) => seq("!", $.move),
    result: ($) => seq("=", $.text),
    output: () => token(prec(3, / {2}[^\n]*/)),

    player: () => /[^\s>#*?!=][^>\n]*>/,
    move: ($) => seq(field("name", $.plain_word), repeat($._text_part)),
    text: ($) => repeat1($._text_part),
    _text_part: ($) => choice($.plain_word, $.quoted),
    plain_word: () => /[^\s#][^\s]*/,
    quoted: () => token(prec(1, /"([^"\\\n]|\\.)*"/)),

    ...items,
  },
});
