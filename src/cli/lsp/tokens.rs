//! Semantic tokens as the protocol counts them: each by its distance from the one before.

use lsp_types::{
    Range, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions,
};

use super::open_documents::Open;
use crate::editor::{Document, TokenSort};

const TYPES: [SemanticTokenType; 10] = [
    SemanticTokenType::COMMENT,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::ENUM,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::METHOD,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::VARIABLE,
];

pub(super) fn options() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: TYPES.to_vec(),
            token_modifiers: vec![
                SemanticTokenModifier::DECLARATION,
                SemanticTokenModifier::READONLY,
            ],
        },
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    }
}

pub(super) fn tokens(open: &Open, document: &Document, range: Range) -> SemanticTokens {
    let offset = |place| open.lines.offset(&open.source.text, place);
    let (mut line, mut character) = (0, 0);
    let tokens = document.tokens(offset(range.start)..offset(range.end)).into_iter().map(|token| {
        // No token goes beyond its line.
        let Range { start, end } = open.lines.range(&open.source, token.span);
        let delta_line = start.line - line;
        let delta_start =
            if delta_line == 0 { start.character - character } else { start.character };
        (line, character) = (start.line, start.character);
        let constant = token.sort == TokenSort::Constant;
        SemanticToken {
            delta_line,
            delta_start,
            length: end.character - start.character,
            token_type: number(token.sort),
            token_modifiers_bitset: u32::from(token.declared) | u32::from(constant) << 1,
        }
    });
    SemanticTokens { result_id: None, data: tokens.collect() }
}

fn number(sort: TokenSort) -> u32 {
    match sort {
        TokenSort::Comment => 0,
        TokenSort::Text => 1,
        TokenSort::Number => 2,
        TokenSort::Word => 3,
        TokenSort::Kind => 4,
        TokenSort::Member => 5,
        TokenSort::Rule => 6,
        TokenSort::Moves => 7,
        TokenSort::Column | TokenSort::Variable => 8,
        TokenSort::Local | TokenSort::Constant => 9,
    }
}
