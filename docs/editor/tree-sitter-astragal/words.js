// The words of the language, from the two places that already hold them: the TextMate grammar groups them by
// colour, the grammar of the language says which of them are reserved.

const { readFileSync } = require("fs");
const { join } = require("path");

const read = (path) => readFileSync(join(__dirname, path), "utf8");
const textmate = JSON.parse(read("../syntaxes/astragal.tmLanguage.json"));
const reserved = read("../../../grammar/tokens.pest")
  .match(/^reserved = [^~]*/m)[0]
  .match(/[a-z]+(?=")/g);

// The node of each group, by the name of its colour.
const nodes = {
  "keyword.declaration.astragal": "declaration_word",
  "keyword.control.astragal": "control_word",
  "keyword.other.astragal": "action_word",
  "keyword.operator.word.astragal": "operator_word",
  "support.function.astragal": "builtin_function",
  "constant.language.astragal": "builtin_constant",
  "storage.type.astragal": "builtin_type",
};

// For each group its node, its reserved words, and the words that mean something only in their place.
const groups = textmate.repository.words.patterns.map(({ name, match }) => {
  const words = match.match(/\((.*)\)/)[1].split("|");
  const isReserved = (word) => reserved.includes(word);
  return {
    node: nodes[name],
    reserved: words.filter(isReserved),
    contextual: words.filter((word) => !isReserved(word)),
  };
});

module.exports = { groups };
