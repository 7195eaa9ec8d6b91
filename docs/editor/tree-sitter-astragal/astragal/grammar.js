// The grammar of `.game` files for editors.

const { items } = require("../items");

// The first words of a declaration, `kind` or `extend kind`, and the name behind them.
const head = ($, name) => {
  const first = alias(
    choice($._declaration_word_contextual, $._declaration_word_reserved, $._builtin_type_contextual),
    $.declaration_word
  );
  return choice(seq(first, field("name", name)), prec(2, seq(first, first, field("name", name))));
};

module.exports = grammar({
  name: "astragal",

  extras: ($) => [/\s/, $.note, $.comment],
  // Empty tokens before the first word of a declaration; `scanner.c` knows the words, in this order.
  externals: ($) => [
    $._game,
    $._use,
    $._constant,
    $._kind,
    $._table,
    $._has,
    $._rule,
    $._moves,
    $._flow,
    $._measure,
    $._always,
  ],
  word: ($) => $.identifier,

  rules: {
    source_file: ($) => seq(repeat($._item), repeat($._declaration)),

    note: () => token(prec(1, /##[^\n]*/)),
    comment: () => token(/#[^\n]*/),

    _declaration: ($) =>
      choice(
        $.game_declaration,
        $.use_declaration,
        $.constant_declaration,
        $.kind_declaration,
        $.table_declaration,
        $.has_declaration,
        $.rule_declaration,
        $.moves_declaration,
        $.flow_declaration,
        $.measure_declaration,
        $.always_declaration
      ),

    game_declaration: ($) => seq($._game, repeat1($._item)),
    use_declaration: ($) => seq($._use, repeat1($._item)),
    constant_declaration: ($) => seq($._constant, head($, $._name), repeat($._item)),
    kind_declaration: ($) =>
      seq($._kind, head($, choice($.type, $.identifier)), repeat(choice($.drawn, $._plain))),
    table_declaration: ($) => seq($._table, head($, $._name), $.index, repeat(choice($.drawn, $._plain))),
    has_declaration: ($) => seq($._has, repeat1($._item)),
    rule_declaration: ($) =>
      seq($._rule, head($, $._name), repeat1(choice($.arguments, $._item))),
    moves_declaration: ($) =>
      seq($._moves, head($, $._name), choice($.arguments, $.string, $.block), repeat($._item)),
    flow_declaration: ($) => seq($._flow, repeat1($._item)),
    measure_declaration: ($) => seq($._measure, head($, $._name), repeat($._item)),
    always_declaration: ($) => seq($._always, repeat1($._item)),

    // Rows and columns, members, links, cells: every word is a name.
    drawn: ($) => seq("{", repeat($._cell), "}"),
    _cell: ($) =>
      choice($.cell, $.number, $.string, $.operator, $.drawn, $.cells, ".", ",", ";", ":"),
    cell: () => /[A-Za-z][A-Za-z0-9_]*/,
    cells: ($) => choice(seq("(", repeat($._cell), ")"), seq("[", repeat($._cell), "]")),

    ...items,
  },
});
