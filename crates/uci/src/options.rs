//! The engine's options and `setoption`.

use std::time::Duration;

use quadrex_engine::Level;
use quadrex_rules::{DrawPolicy, Variant};

use super::error::{CommandError, quoted};

/// The effect of a `setoption`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Variant(Variant),
    Draws(DrawPolicy),
    /// The size of the transposition table in MiB.
    Hash(usize),
    ClearHash,
    Threads(usize),
    MultiPv(usize),
    /// The announcement that the client may ponder. Pondering always works.
    Ponder,
    MoveOverhead(Duration),
    SkillLevel(Level),
    LimitStrength(bool),
    Elo(u32),
}

/// The settings of a session, which apply to all its games.
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

/// The default settings.
pub(super) const DEFAULTS: Settings = Settings {
    table_mib: 16,
    threads: 1,
    lines: 1,
    overhead: Duration::from_millis(10),
    skill: Level::FULL,
    limits_strength: false,
    elo: ELO_OF_LEVELS[7].1,
};

/// An option as announced to `uci`.
struct OptionSpec {
    name: &'static str,
    kind: Kind,
}

enum Kind {
    /// An option with `true` or `false`.
    Check { default: bool, set: fn(bool) -> Setting },
    /// An option with a number between two limits.
    Spin { default: u32, from: u32, to: u32, set: fn(u32) -> Setting },
    /// An option with one of these words. The first is the default.
    Combo { words: fn() -> Vec<&'static str>, set: fn(&str) -> Option<Setting> },
    /// An option without a value, which starts an action.
    Button(Setting),
}

use Kind::{Button, Check, Combo, Spin};

/// The approximate Elo of each level.
///
/// The values of the two highest levels were measured with `cargo xtask bench engine -- ladder
/// --level N`. The time for each move was a tenth of a second, but a second at the highest level.
/// The other values are computed from the differences between levels that `cargo xtask bench engine
/// -- levels` measured. These differences are reduced by a fifth, because differences on the ladder
/// are smaller by a fifth.
const ELO_OF_LEVELS: [(u8, u32); 8] =
    [(1, 480), (2, 590), (3, 780), (4, 1070), (5, 1345), (6, 1550), (7, 1790), (8, 2190)];

/// Every option, in the order of `uci`.
const OPTIONS: [OptionSpec; 12] = [
    OptionSpec { name: "UCI_Variant", kind: Combo { words: variant_names, set: variant } },
    // The same option, in which classic chess has the additional name `chess`. Some clients need
    // this line because they do not accept unknown names of variants. A client that stores options
    // by name uses this line instead of the line above.
    OptionSpec { name: "UCI_Variant", kind: Combo { words: variant_names_and_aliases, set: variant } },
    OptionSpec { name: "Draws", kind: Combo { words: || vec!["claim", "automatic"], set: draws } },
    OptionSpec {
        name: "Hash",
        kind: Spin {
            default: DEFAULTS.table_mib as u32,
            from: 1,
            to: 4096,
            set: |mib| Setting::Hash(mib as usize),
        },
    },
    OptionSpec { name: "Clear Hash", kind: Button(Setting::ClearHash) },
    OptionSpec {
        name: "Threads",
        kind: Spin {
            default: DEFAULTS.threads as u32,
            from: 1,
            to: 64,
            set: |count| Setting::Threads(count as usize),
        },
    },
    OptionSpec {
        name: "MultiPV",
        kind: Spin {
            default: DEFAULTS.lines as u32,
            from: 1,
            to: 256,
            set: |count| Setting::MultiPv(count as usize),
        },
    },
    OptionSpec { name: "Ponder", kind: Check { default: false, set: |_| Setting::Ponder } },
    OptionSpec {
        name: "Move Overhead",
        kind: Spin {
            default: DEFAULTS.overhead.as_millis() as u32,
            from: 0,
            to: 5000,
            set: |ms| Setting::MoveOverhead(Duration::from_millis(u64::from(ms))),
        },
    },
    OptionSpec {
        name: "Skill Level",
        kind: Spin {
            default: DEFAULTS.skill.number() as u32,
            from: 1,
            to: 8,
            set: |number| Setting::SkillLevel(level(number)),
        },
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: Check { default: DEFAULTS.limits_strength, set: Setting::LimitStrength },
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: Spin {
            default: DEFAULTS.elo,
            from: ELO_OF_LEVELS[0].1,
            to: ELO_OF_LEVELS[7].1,
            set: Setting::Elo,
        },
    },
];

/// Returns the name of every variant. The name of the default variant is the first.
fn variant_names() -> Vec<&'static str> {
    let mut variants = Variant::ALL;
    variants.sort_by_key(|&variant| variant != Variant::uci_default());
    variants.map(Variant::name).to_vec()
}

fn variant_names_and_aliases() -> Vec<&'static str> {
    let aliases = Variant::ALL.into_iter().flat_map(|variant| variant.uci_names().skip(1));
    variant_names().into_iter().chain(aliases).collect()
}

fn variant(word: &str) -> Option<Setting> {
    Variant::from_uci_name(word).map(Setting::Variant)
}

fn draws(word: &str) -> Option<Setting> {
    match word {
        "claim" => Some(Setting::Draws(DrawPolicy::Claim)),
        "automatic" => Some(Setting::Draws(DrawPolicy::Automatic)),
        _ => None,
    }
}

/// Returns the level of a number within the option's range.
fn level(number: u32) -> Level {
    let level = u8::try_from(number).ok().and_then(|number| Level::try_from(number).ok());
    level.expect("the option is of the levels there are")
}

impl Settings {
    /// Returns the level to play at. A requested Elo has priority. It selects the highest level
    /// that is not stronger than this Elo.
    pub(super) fn level(&self) -> Level {
        if !self.limits_strength {
            return self.skill;
        }
        let weaker = ELO_OF_LEVELS.iter().rfind(|(_, elo)| *elo <= self.elo);
        weaker.map_or(Level::LOWEST, |(number, _)| level(u32::from(*number)))
    }
}

impl OptionSpec {
    /// Returns the line `option name ...`.
    fn line(&self) -> String {
        let type_and_values = match &self.kind {
            Check { default, .. } => format!("check default {default}"),
            Spin { default, from, to, .. } => format!("spin default {default} min {from} max {to}"),
            Combo { words, .. } => {
                let (words, default) = (words(), words()[0]);
                let words: String = words.iter().map(|word| format!(" var {word}")).collect();
                format!("combo default {default}{words}")
            }
            Button(_) => "button".to_owned(),
        };
        format!("option name {} type {type_and_values}", self.name)
    }

    /// Parses a value. Returns the setting, or a description of the expected values.
    fn read(&self, value: &str) -> Result<Setting, String> {
        let wrong = |expected: String| format!("{} is not {expected}", quoted(value));
        match &self.kind {
            Check { set, .. } => value.parse().map(set).map_err(|_| wrong("true or false".to_owned())),
            Spin { from, to, set, .. } => match value.parse() {
                Ok(number) if (*from..=*to).contains(&number) => Ok(set(number)),
                _ => Err(wrong(format!("a number from {from} to {to}"))),
            },
            Combo { words, set, .. } => {
                set(value).ok_or_else(|| wrong(format!("one of {}", words().join(", "))))
            }
            Button(setting) if value.is_empty() => Ok(*setting),
            Button(_) => Err("takes no value".to_owned()),
        }
    }
}

/// Returns the lines that announce the options.
pub(super) fn lines() -> impl Iterator<Item = String> {
    OPTIONS.iter().map(OptionSpec::line)
}

/// Parses `name <name> [value <value>]`. Names and values are case-insensitive, as UCI demands.
pub(super) fn parse(words: &[&str]) -> Result<Setting, CommandError> {
    let malformed = |reason: String| CommandError::malformed("setoption", reason);
    let ["name", words @ ..] = words else {
        return Err(malformed("expected name".to_owned()));
    };
    let end = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let name = words[..end].join(" ");
    let value = words.get(end + 1..).unwrap_or_default().join(" ").to_ascii_lowercase();
    let offer = OPTIONS.iter().find(|offer| offer.name.eq_ignore_ascii_case(&name));
    let offer = offer.ok_or_else(|| malformed(format!("no option named {}", quoted(&name))))?;
    offer.read(&value).map_err(|reason| malformed(format!("{}: {reason}", offer.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level_at(elo: u32) -> u8 {
        Settings { limits_strength: true, elo, ..DEFAULTS }.level().number()
    }

    #[test]
    fn an_elo_selects_the_highest_level_that_is_not_stronger() {
        for (number, elo) in ELO_OF_LEVELS {
            assert_eq!(level_at(elo), number);
            assert_eq!(level_at(elo + 1), number);
        }
        assert_eq!(level_at(0), 1);
    }

    #[test]
    fn the_skill_level_counts_if_strength_is_not_limited() {
        let skill = level(3);
        assert_eq!(Settings { skill, elo: 600, ..DEFAULTS }.level(), skill);
        assert_eq!(Settings { skill, elo: 1445, limits_strength: true, ..DEFAULTS }.level(), level(5));
    }

    #[test]
    fn both_names_of_classic_select_it() {
        let set = |value: &str| parse(&["name", "UCI_Variant", "value", value]);
        assert_eq!(set("chess"), Ok(Setting::Variant(Variant::Classic)));
        assert_eq!(set("Classic"), set("chess"));
        assert!(set("atomic").is_err());
    }

    /// Every option accepts each of its announced limits and words.
    #[test]
    fn every_announced_value_is_accepted() {
        for offer in &OPTIONS {
            let values = match &offer.kind {
                Check { .. } => vec!["true".to_owned(), "false".to_owned()],
                Spin { default, from, to, .. } => [default, from, to].map(ToString::to_string).to_vec(),
                Combo { words, .. } => words().iter().map(ToString::to_string).collect(),
                Button(_) => vec![String::new()],
            };
            for value in values {
                assert!(offer.read(&value).is_ok(), "{} {value}", offer.name);
            }
            assert!(offer.read("-1").is_err(), "{}", offer.name);
        }
    }
}
