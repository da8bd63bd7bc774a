//! The arguments for the tables and matches to play.

use std::collections::BTreeSet;

use anyhow::{Result, bail, ensure};
use quadrex_bot::{LobbyFilter, Target};
use quadrex_client::TableAddress;
use quadrex_driver::Description;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_rules::{Color, Variant};

use crate::values::{color, join, variant};

/// The tables and matches to play.
#[derive(Debug, clap::Args)]
pub(crate) struct TargetArgs {
    /// Joins this table, given by its link, an invite link, or its id.
    #[arg(long, value_name = "LINK", conflicts_with_all = ["open", "variants", "time"])]
    pub(super) table: Option<String>,
    /// Opens tables of its own and waits there for opponents.
    #[arg(long)]
    open: bool,
    /// Makes its own tables private, and prints the invite link.
    #[arg(long, requires = "open")]
    private: bool,
    /// Variant to play; may be repeated [default: all variants that the engine supports].
    #[arg(long = "variant", value_name = "VARIANT", value_parser = variant)]
    variants: Vec<Variant>,
    /// Time control of its own tables, or of the tables it joins: none, 5+3 (minutes and increment
    /// in seconds), 5d3 (minutes and delay in seconds), 3days (days per move).
    #[arg(long, value_parser = time)]
    time: Option<TimeSetting>,
    /// Color to play [default: the first free seat].
    #[arg(long, value_name = "COLOR", value_parser = color)]
    pub(super) seat: Option<Color>,
    /// Number of matches to play before exiting [default: unlimited].
    #[arg(long, value_name = "NUMBER")]
    pub(super) games: Option<u32>,
    /// Number of tables to play at simultaneously, each with an engine process of its own.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) at_once: u32,
}

impl TargetArgs {
    /// Returns the tables at which the bot plays.
    ///
    /// # Errors
    /// Returns an error if the engine does not play the requested variant, or if the arguments
    /// contradict each other.
    pub(super) fn target(&self, engine: &Description) -> Result<Target> {
        let playable: Vec<Variant> =
            Variant::ALL.into_iter().filter(|&variant| engine.plays(variant)).collect();
        let name = engine.name().unwrap_or("without a name");
        if let Some(variant) = self.variants.iter().find(|variant| !playable.contains(variant)) {
            let variants = match engine.variants() {
                Some(words) => format!("its variants (UCI_Variant) are {}", words.join(", ")),
                None => "it has no option UCI_Variant, and so plays only classic".to_owned(),
            };
            bail!("--variant: the engine {name} does not play {variant}: {variants}");
        }
        if let Some(table) = &self.table {
            return Ok(Target::At(TableAddress::parse(table)?));
        }
        let variants = if self.variants.is_empty() { playable } else { self.variants.clone() };
        ensure!(!variants.is_empty(), "the engine {name} plays none of the variants");
        if let Some(seat) = self.seat
            && let Some(variant) = variants.iter().find(|variant| !variant.colors().contains(&seat))
        {
            bail!("--seat: {variant} has no {seat}: choose the variant with --variant");
        }
        if !self.open {
            return Ok(Target::Seek(LobbyFilter { variants, time: self.time }));
        }
        let distinct: BTreeSet<&str> = variants.iter().map(|variant| variant.name()).collect();
        ensure!(distinct.len() == 1, "--open: choose one of {} with --variant", join(&variants));
        let privacy = if self.private { Privacy::Private } else { Privacy::Public };
        Ok(Target::Open(Box::new(CreateTable {
            time: self.time,
            ..CreateTable::plain(variants[0], privacy)
        })))
    }
}

/// Parses `none`, `5+3`, `5d3` or `3days`.
fn time(text: &str) -> Result<TimeSetting, String> {
    let wrong = || "expected a time control such as none, 5+3, 5d3 or 3days".to_owned();
    if text == "none" {
        return Ok(TimeSetting::None);
    }
    if let Some(days) = text.strip_suffix("days") {
        return Ok(TimeSetting::Correspondence { days: days.parse().map_err(|_| wrong())? });
    }
    // The server refuses times that are out of range.
    let millis = |number: &str, unit: f64| {
        let number: f64 = number.parse().ok()?;
        (0.0..1e6).contains(&number).then_some((number * unit * 1_000.0) as u64)
    };
    let parse = |sign: char| {
        let (base, more) = text.split_once(sign)?;
        Some((millis(base, 60.0)?, millis(more, 1.0)?))
    };
    if let Some((base_ms, increment_ms)) = parse('+') {
        return Ok(TimeSetting::Fischer { base_ms, increment_ms });
    }
    let (base_ms, delay_ms) = parse('d').ok_or_else(wrong)?;
    Ok(TimeSetting::Delay { base_ms, delay_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_has_the_form_that_players_write() {
        assert_eq!(time("none"), Ok(TimeSetting::None));
        assert_eq!(time("5+3"), Ok(TimeSetting::Fischer { base_ms: 300_000, increment_ms: 3_000 }));
        assert_eq!(time("0.5+0"), Ok(TimeSetting::Fischer { base_ms: 30_000, increment_ms: 0 }));
        assert_eq!(time("10d2.5"), Ok(TimeSetting::Delay { base_ms: 600_000, delay_ms: 2_500 }));
        assert_eq!(time("3days"), Ok(TimeSetting::Correspondence { days: 3 }));
        for wrong in ["", "5", "5+", "+3", "5-3", "-5+3", "5+NaN", "inf+1", "1e9+1", "xdays", "300days"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
