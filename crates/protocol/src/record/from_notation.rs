//! Conversion of a game in notation to a record.

use std::collections::BTreeMap;

use quadrex_rules::notation::{Line, MoveNumber, Replay, Stop, Tags, WrittenGame, parse_time_control};
use quadrex_rules::{Color, Setup, TimeControl};

use super::{MatchRecord, Movetext, MovetextItem, RecordFormat, RecordedEvent, RejectedText};
use crate::event::Event;
use crate::settings::TimeSetting;

impl MatchRecord {
    /// Returns the record of a game in notation. `replay` is the replay of `game`.
    #[must_use]
    pub fn from_notation(game: &WrittenGame, replay: &Replay) -> Self {
        let setup = &replay.playback.game().config().setup;
        let is_own = *setup == Setup::start(setup.variant);
        let events = replay.playback.events().iter().cloned().map(Event::from_rules);
        Self {
            format: RecordFormat::V2,
            match_id: None,
            variant: setup.variant,
            setup: (!is_own).then(|| setup.to_string()),
            draws: None,
            time: game.tags.get("TimeControl").and_then(parse_time_control).and_then(time_setting),
            players: players(setup.variant.colors(), &game.tags),
            events: events.map(|event| RecordedEvent { at_ms: None, event }).collect(),
            tags: game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            written: Some(Movetext { line: words(&game.line), result: game.result.clone() }),
            rejected: replay.stopped.as_ref().map(stop),
        }
    }
}

/// Returns the players' names from the tags. A name `?` in a tag means that the name is unknown,
/// and is left out.
fn players(colors: &[Color], tags: &Tags) -> BTreeMap<Color, String> {
    let name = |color: &Color| {
        let name = tags.get(&tag_of(*color))?;
        (!matches!(name, "" | "?")).then(|| (*color, name.to_owned()))
    };
    colors.iter().filter_map(name).collect()
}

/// Returns the name of the tag that contains a player's name. The tag has the name of the color
/// with a capital letter.
pub(super) fn tag_of(color: Color) -> String {
    let (first, rest) = color.name().split_at(1);
    first.to_ascii_uppercase() + rest
}

/// A day of a correspondence match.
const DAY: std::time::Duration = std::time::Duration::from_secs(86_400);

fn time_setting(time: TimeControl) -> Option<TimeSetting> {
    let ms = |time: std::time::Duration| u64::try_from(time.as_millis()).ok();
    Some(match time {
        TimeControl::None => TimeSetting::None,
        TimeControl::Fischer { base, increment } => {
            TimeSetting::Fischer { base_ms: ms(base)?, increment_ms: ms(increment)? }
        }
        TimeControl::Delay { base, delay } => TimeSetting::Delay { base_ms: ms(base)?, delay_ms: ms(delay)? },
        TimeControl::Correspondence { per_turn } => {
            let days = per_turn.as_secs() / DAY.as_secs();
            let is_whole = per_turn == DAY * u32::try_from(days).ok()?;
            TimeSetting::Correspondence { days: u8::try_from(days).ok().filter(|_| is_whole)? }
        }
    })
}

fn words(line: &Line) -> Vec<MovetextItem> {
    let before = MovetextItem { comments: line.comments.clone(), ..MovetextItem::default() };
    let before = (!before.comments.is_empty()).then_some(before);
    let plies = line.plies.iter().map(|ply| MovetextItem {
        number: ply.number.map(|MoveNumber { number, .. }| number),
        dots: ply.number.map(|MoveNumber { dots, .. }| dots).filter(|&dots| dots != 1),
        text: Some(ply.text.clone()),
        nags: ply.nags.clone(),
        comments: ply.comments.clone(),
        variations: ply.variations.iter().map(words).collect(),
    });
    before.into_iter().chain(plies).collect()
}

pub(super) fn stop(stop: &Stop) -> RejectedText {
    RejectedText {
        round: stop.round,
        color: stop.seat,
        text: stop.text.clone(),
        reason: stop.reason.to_string(),
    }
}
