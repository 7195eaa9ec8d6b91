//! The passes that make programs faster. Each can be switched off alone: the game stays the same.

use std::str::FromStr;

macro_rules! passes {
    ($($pass:ident $name:literal $what:literal;)*) => {
        /// A pass of the compiler that changes how fast a game is, and nothing else.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Pass { $(#[doc = $what] $pass),* }

        impl Pass {
            pub const ALL: [Pass; [$(Pass::$pass),*].len()] = [$(Pass::$pass),*];

            pub fn name(self) -> &'static str {
                match self { $(Pass::$pass => $name),* }
            }
        }
    };
}

passes! {
    Inline "inline" "Writes rules that are one pure expression in place of their calls.";
    Once "once" "Compiles a rule that is called in one place there.";
    Short "short" "Compiles a short rule wherever it is called.";
    Tables "tables" "Looks up what depends on a few names with few values.";
    Columns "columns" "Turns a comparison of a column with what play knows into a table of sets.";
    Predicates "predicates" "Turns conditions on a member into operations on whole sets.";
    OneHot "one-hot" "Keeps an array of few values as one set for each value.";
    Rows "rows" "Compares a row of an array with a value in one operation.";
    Relations "relations" "Turns what is related to a member into a union or a choice of known sets.";
    Images "images" "Finds the elements of an array whose values are in a set in one operation.";
    Lines "lines" "Tests in one operation whether one of many known sets lies within a set.";
    Numbers "numbers" "Treats a range of numbers as a set where conditions pick from it.";
    Sums "sums" "Adds the elements of a row for the members of a set in one operation.";
    Sweeps "sweeps" "Walks all rays from a cell up to what stops them in one operation.";
    Either "either" "Tests the part of a condition that is not about the member once.";
    Factors "factors" "Offers all combinations of independent sets as one entry.";
    Untested "untested" "Lists moves with long tests untested; a random player tests what it draws.";
    Bounds "bounds" "Leaves out the test of a range that cannot fail.";
    Fused "fused" "Tests or changes an element where it lies, without loading it.";
    Deals "deals" "Deals several cards in one operation.";
    Forward "forward" "Computes a value where the copy after it would put it.";
}

/// A set of passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passes(u32);

impl Passes {
    #[must_use]
    pub fn with(self, pass: Pass) -> Passes {
        Passes(self.0 | 1 << pass as u32)
    }

    pub fn has(self, pass: Pass) -> bool {
        self.with(pass) == self
    }

    pub fn all() -> Passes {
        Pass::ALL.into_iter().collect()
    }
}

/// Names with commas between them, or `all`.
impl FromStr for Passes {
    type Err = String;

    fn from_str(names: &str) -> Result<Passes, String> {
        let pass = |name| Pass::ALL.iter().copied().find(|pass| pass.name() == name);
        let known = || Pass::ALL.map(Pass::name).join(", ");
        let unknown = |name: &str| format!("there is no pass `{name}`; there are all, {}", known());
        match names {
            "all" => Ok(Passes::all()),
            _ => names.split(',').map(|name| pass(name).ok_or_else(|| unknown(name))).collect(),
        }
    }
}

impl FromIterator<Pass> for Passes {
    fn from_iter<T: IntoIterator<Item = Pass>>(passes: T) -> Passes {
        passes.into_iter().fold(Passes::default(), Passes::with)
    }
}
