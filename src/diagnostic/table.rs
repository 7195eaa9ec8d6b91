//! `diagnostics!`: enums of diagnostics as tables, a few lines for each code.

/// Declares the diagnostics of one family: an enum, and how each variant becomes a `Diagnostic`.
///
/// ```text
/// diagnostics! {
///     /// What the family has in common.
///     #[derive(Debug)]
///     pub enum NameError;
///
///     check::duplicate => Duplicate { name: String, span: Span, earlier: Span },
///         "`{name}` is declared twice", span: "declared again here", earlier: "first declared here",
///         help: "give one of the two another name, or take one of them out";
/// }
/// ```
///
/// An entry has its code, the variant with its fields, the message, and then what else is known:
///
/// * `field: "text"` labels the place in that field, a `Span` or `Option<Span>`, and
///   `field(primary): "text"` makes it the main one although it is not the first;
///   `field: all` takes the labels of a field that holds several;
/// * `severity: Warning`, where it is no error;
/// * `help: "text"`, or `help: field`, where the field may be a `Help` that knows the fix;
/// * `write: "text"` is the help that shows what to write, and writes it in place of the first label;
/// * `fix: "text"` only writes it there.
///
/// A text is a format string of the fields, a field, or an expression in parentheses.
///
/// A table without an enum makes a function of each entry, for diagnostics that are only reported. It is
/// called like the code, unless another name stands before its parameters: first what the texts show, then
/// the places. Where the texts show three things or more beside the help, these stand in braces, and the entry makes a
/// struct: its fields have names, so nobody can confuse them.
///
/// ```text
/// check::duplicate => (name; span, earlier),
///     "`{name}` is declared twice", span: "declared again here", earlier: "first declared here";
/// ```
macro_rules! diagnostics {
    ($(
        $stage:ident::$code:ident => $($name:ident)? $(($($shown:tt)*))? $({ $($field:tt)* })?,
        $message:tt $(, $key:ident $(($role:ident))?: $value:tt)*;
    )*) => {$(
        $crate::diagnostic::function! {
            [$($name)? $code] $(($($shown)*))? $({ $($field)* })?
            $stage::$code, $message $(, $key $(($role))?: $value)*
        }
    )*};
    (
        $(#[$outer:meta])*
        $visible:vis enum $name:ident;
        $(
            $(#[$inner:meta])*
            $stage:ident::$code:ident => $variant:ident $({ $($field:ident: $type:ty),* $(,)? })?,
            $message:tt $(, $key:ident $(($role:ident))?: $value:tt)*;
        )*
    ) => {
        $(#[$outer])*
        $visible enum $name {
            $( $(#[$inner])* $variant $({ $($field: $type),* })?, )*
        }

        impl From<&$name> for $crate::diagnostic::Diagnostic {
            #[allow(unused_variables, reason = "not every field stands in a text")]
            fn from(error: &$name) -> Self {
                match error {
                    $( $name::$variant { $($($field),*)? } => $crate::diagnostic::record!(
                        $stage::$code, $message $(, $key $(($role))?: $value)*
                    ), )*
                }
            }
        }

        impl From<$name> for $crate::diagnostic::Diagnostic {
            fn from(error: $name) -> Self {
                Self::from(&error)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::diagnostic::Diagnostic::from(self).fmt(formatter)
            }
        }

        impl std::error::Error for $name {}
    };
}

/// A function that makes the diagnostic of one entry.
macro_rules! function {
    (
        [$name:ident $($code:ident)?]
        ($($word:ident $(: $type:ty)?),*; $($place:ident),*) $($entry:tt)*
    ) => {
        pub(crate) fn $name(
            $($word: $crate::diagnostic::parameter!($word $($type)?),)*
            $($place: impl Into<Option<$crate::source::Span>>),*
        ) -> $crate::diagnostic::Diagnostic {
            $( let $place = &$place.into(); )*
            $crate::diagnostic::record!($($entry)*)
        }
    };
    ([$name:ident $code:ident] { $($word:ident),*; $($place:ident),* } $($entry:tt)*) => {
        #[expect(non_camel_case_types, reason = "the type of a field is called like the field")]
        pub(crate) struct $name<$($word,)* $($place),*> {
            $(pub(crate) $word: $word,)*
            $(pub(crate) $place: $place),*
        }

        #[expect(non_camel_case_types, reason = "the type of a field is called like the field")]
        impl<$($word: std::fmt::Display,)* $($place: Into<Option<$crate::source::Span>>),*>
            From<$name<$($word,)* $($place),*>> for $crate::diagnostic::Diagnostic
        {
            fn from($name { $($word,)* $($place),* }: $name<$($word,)* $($place),*>) -> Self {
                $( let $place = &$place.into(); )*
                $crate::diagnostic::record!($($entry)*)
            }
        }
    };
}

/// The type of a parameter that the texts of an entry show.
macro_rules! parameter {
    (help) => { impl Into<$crate::diagnostic::Help> };
    ($word:ident) => { impl std::fmt::Display };
    ($word:ident $type:ty) => { $type };
}

macro_rules! record {
    ($stage:ident::$code:ident, $message:tt $(, $key:ident $(($role:ident))?: $value:tt)*) => {{
        let code = concat!(stringify!($stage), "::", stringify!($code));
        let record = $crate::diagnostic::Diagnostic::new(
            code,
            $crate::diagnostic::clause!(text $message),
        );
        $( let record = $crate::diagnostic::clause!(record, $key $(($role))?: $value); )*
        record
    }};
}

/// One clause of an entry.
macro_rules! clause {
    (text $text:literal) => {
        format!($text)
    };
    (text $text:tt) => {
        $text.to_string()
    };
    ($record:ident, severity: $severity:ident) => {
        $record.with_severity($crate::diagnostic::Severity::$severity)
    };
    ($record:ident, help: $text:literal) => {
        $record.with_help(format!($text))
    };
    ($record:ident, help: $help:tt) => {
        $record.with_help($help)
    };
    ($record:ident, write: $text:literal) => {
        $record.with_help($crate::diagnostic::Help::form("write", &format!($text)))
    };
    ($record:ident, fix: $text:literal) => {
        $record.with_fix(format!($text))
    };
    ($record:ident, fix: $fix:tt) => {
        $crate::diagnostic::Diagnostic { fix: Some(Box::new($fix)), ..$record }
    };
    ($record:ident, $labels:ident: all) => {
        $record.with_labels($labels.iter().cloned())
    };
    ($record:ident, $span:ident: $text:literal) => {
        $record.with_label(*$span, format!($text))
    };
    ($record:ident, $span:ident(primary): $text:literal) => {
        $record.with_primary(*$span, format!($text))
    };
}

pub(crate) use {clause, diagnostics, function, parameter, record};
