//! The name and options that an engine announces.

use quadrex_rules::Variant;

use crate::lines::after_word;

/// The option that selects the variant.
pub(crate) const VARIANT: &str = "UCI_Variant";

/// The greatest number of options. No real engine has that many; the limit keeps an engine from
/// filling the driver's memory with options.
const MAX_OPTIONS: usize = 1_000;

/// The description of an engine in its answer to `uci`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    name: Option<String>,
    options: Vec<OptionSpec>,
}

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OptionSpec {
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Check,
    Spin {
        min: i64,
        max: i64,
    },
    Combo(Vec<String>),
    Button,
    /// A text, or a type unknown to UCI.
    Text,
}

/// The error for an option that cannot be set to a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The engine has no option with the given name.
    #[error("it has no option {name:?}; it has {}", known.join(", "))]
    Unknown {
        /// The given name.
        name: String,
        /// The names of the engine's options.
        known: Vec<String>,
    },
    /// The option does not accept the value.
    #[error("its option {name} cannot be {value:?}: it is {expected}")]
    Value {
        /// The option.
        name: String,
        /// The given value.
        value: String,
        /// The values that the option accepts.
        expected: String,
    },
}

impl Description {
    /// Returns the engine's name, if it has announced one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns true if the engine plays a variant. An engine without variants plays classic chess.
    #[must_use]
    pub fn plays(&self, variant: Variant) -> bool {
        match self.variants() {
            None => variant == Variant::uci_default(),
            Some(_) => self.word_for(variant).is_some(),
        }
    }

    /// Returns the engine's names for the variants that it plays; `None` if the engine has no
    /// option for variants.
    #[must_use]
    pub fn variants(&self) -> Option<Vec<&str>> {
        let mut options = self.options_named(VARIANT).peekable();
        options.peek()?;
        let words = options.flat_map(|option| match &option.kind {
            Kind::Combo(words) => words.as_slice(),
            Kind::Check | Kind::Spin { .. } | Kind::Button | Kind::Text => &[],
        });
        Some(words.map(String::as_str).collect())
    }

    /// Returns the engine's name for a variant. Engines made for other programs call classic chess
    /// `chess`, so a variant can have several names.
    pub(crate) fn word_for(&self, variant: Variant) -> Option<&str> {
        let words = self.variants()?;
        variant.uci_names().find_map(|name| words.iter().copied().find(|word| *word == name))
    }

    /// Checks that an option accepts a value.
    ///
    /// # Errors
    /// Returns [`OptionError`] if the engine has no option `name`, or the option does not accept
    /// `value`.
    pub fn check(&self, name: &str, value: &str) -> Result<(), OptionError> {
        let mut options = self.options_named(name).peekable();
        if options.peek().is_none() {
            let known = self.options.iter().map(|option| option.name.clone()).collect();
            return Err(OptionError::Unknown { name: name.to_owned(), known });
        }
        let mut expected = Vec::new();
        for option in options {
            match option.kind.mismatch(value) {
                None => return Ok(()),
                Some(reason) => expected.push(reason),
            }
        }
        Err(OptionError::Value {
            name: name.to_owned(),
            value: value.to_owned(),
            expected: expected.pop().unwrap_or_default(),
        })
    }

    /// Returns the options with this name. Names are case-insensitive (UCI). Some engines announce
    /// the same option twice.
    fn options_named(&self, name: &str) -> impl Iterator<Item = &OptionSpec> {
        self.options.iter().filter(move |option| option.name.eq_ignore_ascii_case(name))
    }

    /// Adds a line of the answer to `uci`.
    pub(crate) fn add_line(&mut self, line: &str) {
        if let Some(name) = after_word(line, "id").and_then(|rest| after_word(rest, "name")) {
            self.name = Some(name.chars().take(60).collect());
        } else if self.options.len() < MAX_OPTIONS
            && let Some(option) = after_word(line, "option").and_then(OptionSpec::parse)
        {
            self.options.push(option);
        }
    }
}

impl Kind {
    /// If the option does not accept `value`, returns a description of the values that it accepts.
    fn mismatch(&self, value: &str) -> Option<String> {
        match self {
            Self::Check => (!["true", "false"].contains(&value)).then(|| "true or false".to_owned()),
            Self::Spin { min, max } => {
                let fits = value.parse::<i64>().is_ok_and(|number| (*min..=*max).contains(&number));
                (!fits).then(|| format!("a number from {min} to {max}"))
            }
            Self::Combo(words) => {
                let fits = words.iter().any(|word| word.eq_ignore_ascii_case(value));
                (!fits).then(|| format!("one of {}", words.join(", ")))
            }
            Self::Button => (!value.is_empty()).then(|| "a button, without a value".to_owned()),
            Self::Text => None,
        }
    }
}

impl OptionSpec {
    /// Parses `name N type T [default D] [min A] [max B] [var V]...`, where a name may contain
    /// blanks.
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let kind_at = words.iter().position(|word| *word == "type")?;
        let name = words.get(..kind_at)?.strip_prefix(&["name"])?.join(" ");
        let details = words.get(kind_at + 2..).unwrap_or_default();
        let number = |key: &str, default: i64| {
            let at = details.iter().position(|word| *word == key);
            at.and_then(|at| details.get(at + 1)?.parse().ok()).unwrap_or(default)
        };
        let kind = match *words.get(kind_at + 1)? {
            "check" => Kind::Check,
            "spin" => Kind::Spin { min: number("min", i64::MIN), max: number("max", i64::MAX) },
            "combo" => {
                let vars = details.split(|word| *word == "var").skip(1);
                Kind::Combo(vars.map(|words| words.join(" ")).collect())
            }
            "button" => Kind::Button,
            _ => Kind::Text,
        };
        (!name.is_empty()).then_some(Self { name, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(lines: &[&str]) -> Description {
        let mut description = Description::default();
        lines.iter().for_each(|line| description.add_line(line));
        description
    }

    #[test]
    fn an_engine_without_variants_plays_only_chess() {
        let plain = described(&["id name Plain 3", "option name Hash type spin default 16 min 1 max 64"]);
        assert_eq!(plain.name(), Some("Plain 3"));
        assert!(plain.plays(Variant::Classic) && !plain.plays(Variant::Dilkel));
        assert_eq!((plain.variants(), plain.word_for(Variant::Classic)), (None, None));
    }

    #[test]
    fn an_engine_announces_its_variants() {
        let of =
            |vars: &str| described(&[&format!("option name UCI_Variant type combo default chess {vars}")]);
        let with_our_names = of("var classic var dilkel var chess");
        assert_eq!(with_our_names.word_for(Variant::Classic), Some("classic"));
        assert!(with_our_names.plays(Variant::Dilkel) && !with_our_names.plays(Variant::DilkelCompact));
        let other = of("var chess var atomic");
        assert_eq!(other.word_for(Variant::Classic), Some("chess"));
        assert!(!other.plays(Variant::Dilkel));
        assert!(!of("var atomic").plays(Variant::Classic));
    }

    #[test]
    fn an_option_announced_twice_accepts_both_ranges() {
        let twice = described(&[
            "option name UCI_Variant type combo default classic var classic var dilkel",
            "option name UCI_Variant type combo default classic var classic var chess",
        ]);
        assert!(twice.plays(Variant::Dilkel));
        assert!(twice.check("UCI_Variant", "chess").is_ok() && twice.check("uci_variant", "dilkel").is_ok());
    }

    #[test]
    fn an_option_error_names_the_accepted_values() {
        let engine = described(&[
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name Ponder type check default false",
            "option name Style type combo default Solid var Solid var Very Risky",
            "option name Clear Hash type button",
            "option name Book type string default <empty>",
            "option type spin",
            "option name",
        ]);
        for (name, value) in [
            ("Move Overhead", "5000"),
            ("ponder", "true"),
            ("Style", "very risky"),
            ("Clear Hash", ""),
            ("Book", "a b.bin"),
        ] {
            assert_eq!(engine.check(name, value), Ok(()), "{name}");
        }
        for (name, value, why) in [
            (
                "Move Overhead",
                "5001",
                "its option Move Overhead cannot be \"5001\": it is a number from 0 to 5000",
            ),
            ("Ponder", "yes", "its option Ponder cannot be \"yes\": it is true or false"),
            ("Style", "wild", "its option Style cannot be \"wild\": it is one of Solid, Very Risky"),
            ("Clear Hash", "1", "its option Clear Hash cannot be \"1\": it is a button, without a value"),
            ("Hash", "1", "it has no option \"Hash\"; it has Move Overhead, Ponder, Style, Clear Hash, Book"),
        ] {
            assert_eq!(engine.check(name, value).unwrap_err().to_string(), why);
        }
    }
}
