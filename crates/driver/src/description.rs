//! What an engine says it is, and what can be set.

use quadrex_rules::Variant;

use crate::lines::after_word;

/// The option that says which game is played.
pub(crate) const VARIANT: &str = "UCI_Variant";

/// More options than any engine has: it bounds the memory that an engine can claim.
const MAX_OPTIONS: usize = 1_000;

/// An engine as it described itself after `uci`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    name: Option<String>,
    options: Vec<Offer>,
}

/// An option that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Offer {
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Check,
    Spin {
        least: i64,
        most: i64,
    },
    Combo(Vec<String>),
    Button,
    /// A text, or a type that UCI does not know.
    Text,
}

/// Why an option cannot be set so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongOption {
    /// The engine has none of that name.
    #[error("it has no option {name:?}; it has {}", offered.join(", "))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The names it has.
        offered: Vec<String>,
    },
    /// The value is none it can have.
    #[error("its option {name} cannot be {value:?}: it is {expected}")]
    Value {
        /// The option.
        name: String,
        /// What it was to be.
        value: String,
        /// What it can be.
        expected: String,
    },
}

impl Description {
    /// What the engine calls itself, if it has said so.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether it knows a game. One that has no word for any plays classic chess.
    #[must_use]
    pub fn plays(&self, variant: Variant) -> bool {
        match self.variants() {
            None => variant == Variant::Classic,
            Some(_) => self.word_for(variant).is_some(),
        }
    }

    /// The games it has words for, as it writes them; `None` if it knows no other than chess.
    #[must_use]
    pub fn variants(&self) -> Option<Vec<&str>> {
        let mut offers = self.offers(VARIANT).peekable();
        offers.peek()?;
        let words = offers.flat_map(|offer| match &offer.kind {
            Kind::Combo(words) => words.as_slice(),
            Kind::Check | Kind::Spin { .. } | Kind::Button | Kind::Text => &[],
        });
        Some(words.map(String::as_str).collect())
    }

    /// What it calls a game. Classic chess is `chess` in other programs.
    pub(crate) fn word_for(&self, variant: Variant) -> Option<&str> {
        let words = self.variants()?;
        let other = if variant == Variant::Classic { "chess" } else { variant.name() };
        let names = [variant.name(), other];
        names.iter().find_map(|name| words.iter().find(|word| word == &name)).copied()
    }

    /// Whether an option can be set to this.
    ///
    /// # Errors
    /// [`WrongOption`] says why not.
    pub fn check(&self, name: &str, value: &str) -> Result<(), WrongOption> {
        let mut offers = self.offers(name).peekable();
        if offers.peek().is_none() {
            let offered = self.options.iter().map(|offer| offer.name.clone()).collect();
            return Err(WrongOption::Unknown { name: name.to_owned(), offered });
        }
        let mut expected = Vec::new();
        for offer in offers {
            match offer.kind.refuses(value) {
                None => return Ok(()),
                Some(reason) => expected.push(reason),
            }
        }
        Err(WrongOption::Value {
            name: name.to_owned(),
            value: value.to_owned(),
            expected: expected.pop().unwrap_or_default(),
        })
    }

    /// Options of this name; capital letters are as good as small ones (UCI). Some engines tell one twice.
    fn offers(&self, name: &str) -> impl Iterator<Item = &Offer> {
        self.options.iter().filter(move |offer| offer.name.eq_ignore_ascii_case(name))
    }

    /// Takes in a line that came after `uci`.
    pub(crate) fn take(&mut self, line: &str) {
        if let Some(name) = after_word(line, "id").and_then(|rest| after_word(rest, "name")) {
            self.name = Some(name.chars().take(60).collect());
        } else if self.options.len() < MAX_OPTIONS
            && let Some(offer) = after_word(line, "option").and_then(Offer::read)
        {
            self.options.push(offer);
        }
    }
}

impl Kind {
    /// What the value must be instead, if it cannot be this.
    fn refuses(&self, value: &str) -> Option<String> {
        match self {
            Self::Check => (!["true", "false"].contains(&value)).then(|| "true or false".to_owned()),
            Self::Spin { least, most } => {
                let fits = value.parse::<i64>().is_ok_and(|number| (*least..=*most).contains(&number));
                (!fits).then(|| format!("a number from {least} to {most}"))
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

impl Offer {
    /// `name N type T [default D] [min A] [max B] [var V]...`, where a name may have blanks.
    fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let kind_at = words.iter().position(|word| *word == "type")?;
        let name = words.get(..kind_at)?.strip_prefix(&["name"])?.join(" ");
        let details = words.get(kind_at + 2..).unwrap_or_default();
        let number = |key: &str, usual: i64| {
            let at = details.iter().position(|word| *word == key);
            at.and_then(|at| details.get(at + 1)?.parse().ok()).unwrap_or(usual)
        };
        let kind = match *words.get(kind_at + 1)? {
            "check" => Kind::Check,
            "spin" => Kind::Spin { least: number("min", i64::MIN), most: number("max", i64::MAX) },
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
        lines.iter().for_each(|line| description.take(line));
        description
    }

    #[test]
    fn an_engine_without_a_word_for_games_plays_chess_alone() {
        let plain = described(&["id name Plain 3", "option name Hash type spin default 16 min 1 max 64"]);
        assert_eq!(plain.name(), Some("Plain 3"));
        assert!(plain.plays(Variant::Classic) && !plain.plays(Variant::Dilkel));
        assert_eq!((plain.variants(), plain.word_for(Variant::Classic)), (None, None));
    }

    #[test]
    fn an_engine_names_the_games_it_plays() {
        let of =
            |vars: &str| described(&[&format!("option name UCI_Variant type combo default chess {vars}")]);
        let own = of("var classic var dilkel var chess");
        assert_eq!(own.word_for(Variant::Classic), Some("classic"));
        assert!(own.plays(Variant::Dilkel) && !own.plays(Variant::DilkelCompact));
        let other = of("var chess var atomic");
        assert_eq!(other.word_for(Variant::Classic), Some("chess"));
        assert!(!other.plays(Variant::Dilkel));
        assert!(!of("var atomic").plays(Variant::Classic));
    }

    #[test]
    fn an_option_that_is_told_twice_is_both() {
        let twice = described(&[
            "option name UCI_Variant type combo default classic var classic var dilkel",
            "option name UCI_Variant type combo default classic var classic var chess",
        ]);
        assert!(twice.plays(Variant::Dilkel));
        assert!(twice.check("UCI_Variant", "chess").is_ok() && twice.check("uci_variant", "dilkel").is_ok());
    }

    #[test]
    fn what_cannot_be_set_is_said_with_what_can() {
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
