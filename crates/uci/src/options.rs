//! The options: which there are, and reading `setoption`.

use std::time::Duration;

use quadrex_engine::Level;
use quadrex_rules::{DrawPolicy, Variant};

use super::command::{CommandError, quoted};

/// What a `setoption` sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Variant(Variant),
    Draws(DrawPolicy),
    /// MiB
    Hash(usize),
    ClearHash,
    Threads(usize),
    MultiPv(usize),
    /// A client says that it will let us ponder. We always can.
    Ponder,
    MoveOverhead(Duration),
    SkillLevel(Level),
    LimitStrength(bool),
    Elo(u32),
}

/// What stays set: all but the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub table_mib: usize,
    pub threads: usize,
    pub lines: usize,
    pub overhead: Duration,
    pub skill: Level,
    pub limits_strength: bool,
    pub elo: u32,
}

/// What is set when nothing has been said.
pub(super) const USUAL: Settings = Settings {
    table_mib: 16,
    threads: 1,
    lines: 1,
    overhead: Duration::from_millis(10),
    skill: Level::FULL,
    limits_strength: false,
    elo: ELO_OF_LEVELS[7].1,
};

/// An option as `uci` tells it.
struct Offer {
    name: &'static str,
    kind: Kind,
}

enum Kind {
    /// `true` or `false`
    Check { usual: bool, set: fn(bool) -> Setting },
    /// A number from the first to the second
    Spin { usual: u32, from: u32, to: u32, set: fn(u32) -> Setting },
    /// One of some words
    Combo { usual: &'static str, words: &'static [&'static str], set: fn(&str) -> Option<Setting> },
    /// Something that is done
    Button(Setting),
}

use Kind::{Button, Check, Combo, Spin};

/// About how strong each level is. The two highest by `cargo xtask bench engine -- ladder --level N`, with a tenth of a second
/// for each move (a second at the highest level); those below by their distance in `-- levels`, a fifth shorter, as such
/// distances are on the ladder.
const ELO_OF_LEVELS: [(u8, u32); 8] =
    [(1, 480), (2, 590), (3, 780), (4, 1070), (5, 1345), (6, 1550), (7, 1790), (8, 2190)];

/// Every option in the order of `uci`.
const OFFERS: [Offer; 12] = [
    Offer {
        name: "UCI_Variant",
        kind: Combo { usual: "classic", words: &["classic", "dilkel", "dilkel-compact"], set: variant },
    },
    // Clients that hold UCI_Variant to what they know call the classic game chess. Who keeps options by their names takes
    // this line for the one above.
    Offer {
        name: "UCI_Variant",
        kind: Combo {
            usual: "classic",
            words: &["classic", "dilkel", "dilkel-compact", "chess"],
            set: variant,
        },
    },
    Offer { name: "Draws", kind: Combo { usual: "claim", words: &["claim", "automatic"], set: draws } },
    Offer {
        name: "Hash",
        kind: Spin {
            usual: USUAL.table_mib as u32,
            from: 1,
            to: 4096,
            set: |mib| Setting::Hash(mib as usize),
        },
    },
    Offer { name: "Clear Hash", kind: Button(Setting::ClearHash) },
    Offer {
        name: "Threads",
        kind: Spin {
            usual: USUAL.threads as u32,
            from: 1,
            to: 64,
            set: |count| Setting::Threads(count as usize),
        },
    },
    Offer {
        name: "MultiPV",
        kind: Spin {
            usual: USUAL.lines as u32,
            from: 1,
            to: 256,
            set: |count| Setting::MultiPv(count as usize),
        },
    },
    Offer { name: "Ponder", kind: Check { usual: false, set: |_| Setting::Ponder } },
    Offer {
        name: "Move Overhead",
        kind: Spin {
            usual: USUAL.overhead.as_millis() as u32,
            from: 0,
            to: 5000,
            set: |ms| Setting::MoveOverhead(Duration::from_millis(u64::from(ms))),
        },
    },
    Offer {
        name: "Skill Level",
        kind: Spin {
            usual: USUAL.skill.number() as u32,
            from: 1,
            to: 8,
            set: |number| Setting::SkillLevel(level(number)),
        },
    },
    Offer {
        name: "UCI_LimitStrength",
        kind: Check { usual: USUAL.limits_strength, set: Setting::LimitStrength },
    },
    Offer {
        name: "UCI_Elo",
        kind: Spin { usual: USUAL.elo, from: ELO_OF_LEVELS[0].1, to: ELO_OF_LEVELS[7].1, set: Setting::Elo },
    },
];

fn variant(word: &str) -> Option<Setting> {
    let name = if word == "chess" { Variant::Classic.name() } else { word };
    name.parse().ok().map(Setting::Variant)
}

fn draws(word: &str) -> Option<Setting> {
    match word {
        "claim" => Some(Setting::Draws(DrawPolicy::Claim)),
        "automatic" => Some(Setting::Draws(DrawPolicy::Automatic)),
        _ => None,
    }
}

/// A level by a number within the option's range.
fn level(number: u32) -> Level {
    let level = u8::try_from(number).ok().and_then(|number| Level::try_from(number).ok());
    level.expect("the option is of the levels there are")
}

impl Settings {
    /// The level to play at: what was asked for in Elo, where that is asked for, comes first. Then it is the highest level
    /// that is no stronger.
    pub(super) fn level(&self) -> Level {
        if !self.limits_strength {
            return self.skill;
        }
        let weaker = ELO_OF_LEVELS.iter().rfind(|(_, elo)| *elo <= self.elo);
        weaker.map_or(Level::LOWEST, |(number, _)| level(u32::from(*number)))
    }
}

impl Offer {
    /// `option name ...`
    fn line(&self) -> String {
        let told = match &self.kind {
            Check { usual, .. } => format!("check default {usual}"),
            Spin { usual, from, to, .. } => format!("spin default {usual} min {from} max {to}"),
            Combo { usual, words, .. } => {
                let words: String = words.iter().map(|word| format!(" var {word}")).collect();
                format!("combo default {usual}{words}")
            }
            Button(_) => "button".to_owned(),
        };
        format!("option name {} type {told}", self.name)
    }

    /// What a value sets, or what would have been expected.
    fn read(&self, value: &str) -> Result<Setting, String> {
        let wrong = |expected: String| format!("{} is not {expected}", quoted(value));
        match &self.kind {
            Check { set, .. } => value.parse().map(set).map_err(|_| wrong("true or false".to_owned())),
            Spin { from, to, set, .. } => match value.parse() {
                Ok(number) if (*from..=*to).contains(&number) => Ok(set(number)),
                _ => Err(wrong(format!("a number from {from} to {to}"))),
            },
            Combo { words, set, .. } => {
                set(value).ok_or_else(|| wrong(format!("one of {}", words.join(", "))))
            }
            Button(setting) if value.is_empty() => Ok(*setting),
            Button(_) => Err("takes no value".to_owned()),
        }
    }
}

/// The lines that tell the options.
pub(super) fn lines() -> impl Iterator<Item = String> {
    OFFERS.iter().map(Offer::line)
}

/// Reads `name <name> [value <value>]`; UCI tells names and values apart without regard to case.
pub(super) fn parse(words: &[&str]) -> Result<Setting, CommandError> {
    let malformed = |reason: String| CommandError::malformed("setoption", reason);
    let ["name", words @ ..] = words else {
        return Err(malformed("expected name".to_owned()));
    };
    let end = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let name = words[..end].join(" ");
    let value = words.get(end + 1..).unwrap_or_default().join(" ").to_ascii_lowercase();
    let offer = OFFERS.iter().find(|offer| offer.name.eq_ignore_ascii_case(&name));
    let offer = offer.ok_or_else(|| malformed(format!("no option named {}", quoted(&name))))?;
    offer.read(&value).map_err(|reason| malformed(format!("{}: {reason}", offer.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level_at(elo: u32) -> u8 {
        Settings { limits_strength: true, elo, ..USUAL }.level().number()
    }

    #[test]
    fn a_rating_is_played_by_the_highest_level_that_is_no_stronger() {
        for (number, elo) in ELO_OF_LEVELS {
            assert_eq!(level_at(elo), number);
            assert_eq!(level_at(elo + 1), number);
        }
        assert_eq!(level_at(0), 1);
    }

    #[test]
    fn the_level_set_counts_where_strength_is_not_limited() {
        let skill = level(3);
        assert_eq!(Settings { skill, elo: 600, ..USUAL }.level(), skill);
        assert_eq!(Settings { skill, elo: 1445, limits_strength: true, ..USUAL }.level(), level(5));
    }

    #[test]
    fn the_second_name_of_classic_sets_the_same() {
        let set = |value: &str| parse(&["name", "UCI_Variant", "value", value]);
        assert_eq!(set("chess"), Ok(Setting::Variant(Variant::Classic)));
        assert_eq!(set("Classic"), set("chess"));
        assert!(set("atomic").is_err());
    }

    /// Every option, at every end of what it can be, is read as it is told.
    #[test]
    fn what_is_told_of_an_option_is_taken() {
        for offer in &OFFERS {
            let values = match &offer.kind {
                Check { .. } => vec!["true".to_owned(), "false".to_owned()],
                Spin { usual, from, to, .. } => [usual, from, to].map(ToString::to_string).to_vec(),
                Combo { words, .. } => words.iter().map(ToString::to_string).collect(),
                Button(_) => vec![String::new()],
            };
            for value in values {
                assert!(offer.read(&value).is_ok(), "{} {value}", offer.name);
            }
            assert!(offer.read("-1").is_err(), "{}", offer.name);
        }
    }
}
