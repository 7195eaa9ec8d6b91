// Finds where a declaration begins: at the first word of a line, outside of all brackets. The rules are those
// of `begins_declaration` in src/syntax/tokens.rs.

#include "tree_sitter/parser.h"

#include <string.h>

// As in `externals` of grammar.js.
enum { GAME, USE, CONSTANT, KIND, TABLE, HAS, RULE, MOVES, FLOW, MEASURE, ALWAYS, EXTENSION };

// The words that begin a declaration, and what it is.
static const struct {
    const char *word;
    TSSymbol symbol;
} DECLARATIONS[] = {
    {"game", GAME},       {"variant", USE},      {"mixin", USE},       {"use", USE},         {"option", CONSTANT},
    {"let", CONSTANT},    {"kind", KIND},        {"extend", EXTENSION}, {"replace", EXTENSION}, {"remove", FLOW},
    {"cards", KIND},      {"board", KIND},
    {"table", TABLE},     {"each", HAS},         {"the", HAS},         {"rule", RULE},       {"moves", MOVES},
    {"measure", MEASURE}, {"always", ALWAYS},    {"strategy", FLOW},   {"setup", FLOW},      {"play", FLOW},
};

enum { COUNT = sizeof DECLARATIONS / sizeof *DECLARATIONS };

void *tree_sitter_astragal_external_scanner_create(void) { return NULL; }
void tree_sitter_astragal_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_astragal_external_scanner_serialize(void *payload, char *buffer) {
    (void)payload, (void)buffer;
    return 0;
}
void tree_sitter_astragal_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    (void)payload, (void)buffer, (void)length;
}

static bool is_blank(int32_t letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

static bool is_word_letter(int32_t letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_';
}

// Reads a word and the blanks behind it; returns its place in DECLARATIONS, or COUNT.
static size_t read_word(TSLexer *lexer) {
    char word[16];
    size_t length = 0;
    while (is_word_letter(lexer->lookahead)) {
        if (length + 1 < sizeof word) word[length++] = (char)lexer->lookahead;
        lexer->advance(lexer, false);
    }
    word[length] = '\0';
    while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
    size_t at = 0;
    while (at < COUNT && strcmp(word, DECLARATIONS[at].word) != 0) at++;
    return at;
}

bool tree_sitter_astragal_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    (void)payload;
    // All are valid where one is.
    if (!valid[GAME]) return false;

    bool at_line_start = lexer->get_column(lexer) == 0;
    while (is_blank(lexer->lookahead) || lexer->lookahead == '\n') {
        at_line_start |= lexer->lookahead == '\n';
        lexer->advance(lexer, true);
    }
    if (!at_line_start) return false;

    // The token is empty: its words are read again as words.
    lexer->mark_end(lexer);
    size_t at = read_word(lexer);
    if (at == COUNT) return false;

    // A sign behind the word shows that it is a name, as in `table = 3`.
    int32_t next = lexer->lookahead;
    bool is_condition = DECLARATIONS[at].symbol == ALWAYS && (next == '(' || next == '-');
    bool is_name = next > 0 && next < 128 && strchr("=+-*/,.([)<>!:", (int)next) != NULL;
    if (is_name && !is_condition) return false;

    if (DECLARATIONS[at].symbol == EXTENSION) {
        bool extends = strcmp(DECLARATIONS[at].word, "extend") == 0;
        at = read_word(lexer);
        // `extend choose` begins with no word of a declaration, and `extend table` has no index.
        if (at == COUNT || DECLARATIONS[at].symbol == EXTENSION || (extends && DECLARATIONS[at].symbol == TABLE)) {
            lexer->result_symbol = FLOW;
            return true;
        }
    }
    lexer->result_symbol = DECLARATIONS[at].symbol;
    return true;
}
