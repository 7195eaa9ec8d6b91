//! The few styles of the table; where colour is not wanted they are left out.

use anstyle::{AnsiColor, Style};

/// What matters less: numbers, hints.
pub(super) const FAINT: Style = AnsiColor::BrightBlack.on_default();

/// Headings and results.
pub(super) const STRONG: Style = Style::new().bold();

/// Who is asked.
pub(super) const PROMPT: Style = AnsiColor::Green.on_default().bold();
