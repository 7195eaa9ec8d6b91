// The parts that games and scripts share: words, texts, numbers, signs and brackets in any order. The grammar
// is for colours, folds and text objects. It is looser than the language, so that a text that is being written
// keeps its colours.

const { groups } = require("./words");

// One token for the reserved words of a group, one for the others.
const wordTokens = {};
for (const { node, reserved, contextual } of groups) {
  if (reserved.length > 0) wordTokens[`_${node}_reserved`] = () => token(choice(...reserved));
  if (contextual.length > 0) wordTokens[`_${node}_contextual`] = () => token(choice(...contextual));
}

const functions = "_builtin_function_contextual";
const reserved = Object.keys(wordTokens).filter((it) => it.endsWith("_reserved"));
const contextual = Object.keys(wordTokens).filter((it) => it.endsWith("_contextual") && it != functions);
// A word as what it means in its place.
const asWord = ($, token) => alias($[token], $[token.replace(/^_|_[a-z]+$/g, "")]);

const items = {
  // Before the names: of two tokens that match the same letters, tree-sitter takes the first.
  ...wordTokens,

  // A capital begins the name of a kind; in scripts also of a player.
  type: () => /[A-Z][A-Za-z0-9_]*/,
  identifier: () => /[a-z][A-Za-z0-9_]*/,
  number: () => /[0-9]+/,

  // `number: 1..20`, `die[red]`, `first.alive`: the sign behind a word shows that it is a name.
  _word_as_name: ($) => prec(1, choice(...contextual.map((it) => $[it]))),
  _name: ($) =>
    choice($.identifier, alias($._word_as_name, $.identifier), alias($[functions], $.identifier)),

  _item: ($) => choice($.block, $._plain),
  _plain: ($) =>
    choice(
      $.group,
      $.index,
      $.call,
      $.label,
      $.member,
      $.field,
      $.string,
      $.number,
      $.type,
      prec(-1, choice($.identifier, alias($[functions], $.identifier))),
      prec(-1, choice(...[...reserved, ...contextual].map((it) => asWord($, it)))),
      $.operator,
      ",",
      ";",
      ":"
    ),

  block: ($) => seq("{", repeat($._item), "}"),
  group: ($) => seq("(", repeat($._item), ")"),
  index: ($) => seq("[", repeat($._item), "]"),
  arguments: ($) => seq(token.immediate(prec(1, "(")), repeat($._item), ")"),

  call: ($) =>
    prec(
      1,
      seq(
        field(
          "function",
          choice($.identifier, $.type, alias($._word_as_name, $.identifier), asWord($, functions))
        ),
        $.arguments
      )
    ),
  label: ($) => prec(1, seq(field("name", $._name), ":")),
  // The index of a word that would mean something else without it.
  member: ($) => prec(1, seq($._name, choice($.index, $.field))),
  field: ($) =>
    prec.right(seq(".", field("name", $.field_name), optional($.arguments))),

  // Any word at all, `e.first` and `card.from` too.
  field_name: () => token.immediate(/[A-Za-z][A-Za-z0-9_]*/),

  operator: () =>
    token(choice("->", "..", "+=", "-=", "==", "!=", "<=", ">=", "=", "<", ">", "+", "-", "*", "/")),

  string: ($) =>
    seq(
      '"',
      repeat(choice($.content, $.escape, $.hole)),
      // A text ends with its line at the latest.
      choice(alias(token.immediate('"'), '"'), token.immediate("\n"))
    ),
  content: () => token.immediate(prec(1, /[^"\\{\n]+/)),
  escape: () => token.immediate(/\\./),
  hole: ($) => seq(token.immediate("{"), repeat($._item), "}"),
};

module.exports = { items, asWord };
