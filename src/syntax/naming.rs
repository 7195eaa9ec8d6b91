//! The two writings of names, and the words that cannot be names.

const RESERVED: &[&str] = &[
    "and", "or", "not", "in", "if", "then", "else", "for", "where", "when", "while", "repeat",
    "until", "match", "choose", "let", "var", "return", "break", "yes", "none", "no", "from",
    "union", "minus", "common", "within", "mod",
];

/// Whether the language needs this word for itself; the same words as `reserved` in the grammar.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// `tall_oak` as `TallOak`.
pub(super) fn in_pascal_case(name: &str) -> String {
    let capital = |part: &str| {
        let (first, rest) = part.split_at(part.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    name.split('_').map(capital).collect()
}

/// `TallOak` as `tall_oak`.
pub fn in_snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut last_small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && last_small {
            snake.push('_');
        }
        last_small = !letter.is_ascii_uppercase() && letter != '_';
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use pest::Parser;

    use super::RESERVED;
    use super::in_pascal_case;
    use super::in_snake_case;
    use crate::syntax::grammar::GameParser;
    use crate::syntax::grammar::Rule;

    #[test]
    fn the_two_writings_turn_into_each_other() {
        assert_eq!(in_pascal_case("deep_water"), "DeepWater");
        assert_eq!(in_snake_case("DeepWater"), "deep_water");
    }

    #[test]
    fn the_grammar_reserves_the_same_words() {
        for word in RESERVED {
            assert!(GameParser::parse(Rule::reserved, word).is_ok(), "{word}");
            assert!(GameParser::parse(Rule::name, word).is_err(), "{word}");
        }
        assert!(GameParser::parse(Rule::name, "turn").is_ok());
    }
}
