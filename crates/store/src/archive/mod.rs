//! The archive: summaries of matches that have started, as lists show them. They follow from the
//! logs.

mod due;
mod queries;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::{Timestamp, Variant};

pub(super) use due::Due;

/// A match as the archive holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedMatch {
    /// Its phase when it was archived: running or ended.
    pub phase: Phase,
    /// True if everybody may see it.
    pub is_public: bool,
    /// Its summary in lists.
    pub summary: MatchSummary,
}

/// The criteria of a list of matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveQuery {
    /// Only matches that this user played in.
    pub user: Option<UserId>,
    /// Only matches with a player whose name begins so.
    pub player: Option<NameStart>,
    /// Only matches of this variant.
    pub variant: Option<Variant>,
    /// Only matches after this place in the list.
    pub before: Option<ArchivePlace>,
    /// The reader, who sees public matches and those that the reader played in.
    pub seen_by: Option<UserId>,
    /// The maximum number of matches.
    pub limit: u16,
}

/// The beginning of a name, without regard to case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameStart(String);

/// The error of a text that no name begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name begins with 1 to {MAX_START} characters that are shown, this is something else")]
pub struct InvalidNameStart;

/// The maximum length of a name's beginning in characters: that of a name.
const MAX_START: usize = 24;

impl NameStart {
    /// Returns the first of all such names in byte order, in lower case.
    fn range_start(&self) -> &str {
        &self.0
    }

    /// Returns a text that follows all such names in byte order.
    fn range_end(&self) -> String {
        format!("{}{}", self.0, char::MAX)
    }
}

impl FromStr for NameStart {
    type Err = InvalidNameStart;

    fn from_str(text: &str) -> Result<Self, InvalidNameStart> {
        let start = text.trim();
        let fits = (1..=MAX_START).contains(&start.chars().count());
        if fits && !start.chars().any(char::is_control) {
            Ok(Self(folded(start)))
        } else {
            Err(InvalidNameStart)
        }
    }
}

/// Returns a name as it is searched: in lower case.
fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// A match's place in a list with the newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArchivePlace {
    /// The start of the match.
    pub started_at: Timestamp,
    /// The match, of several that started then.
    pub match_id: MatchId,
}

/// The error of a text that names no place in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a place in a list of matches: expected the value of `next`")]
pub struct InvalidPlace;

/// The value of `next` in lists: the milliseconds and the match.
impl fmt::Display for ArchivePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.started_at.as_millis(), self.match_id)
    }
}

impl FromStr for ArchivePlace {
    type Err = InvalidPlace;

    fn from_str(text: &str) -> Result<Self, InvalidPlace> {
        let (millis, match_id) = text.split_once('.').ok_or(InvalidPlace)?;
        // No later than year 9999, so that every database can hold it.
        let millis: u64 =
            millis.parse().ok().filter(|millis| *millis < 253_402_300_800_000).ok_or(InvalidPlace)?;
        let match_id = match_id.parse().map_err(|_| InvalidPlace)?;
        let place = Self { started_at: Timestamp::from_millis(millis), match_id };
        if place.to_string() == text { Ok(place) } else { Err(InvalidPlace) }
    }
}

/// The columns of a seat in `archived_seats`.
struct SeatRow {
    color: &'static str,
    user: UserId,
    place: Option<i16>,
    is_shared: bool,
}

impl ArchivedMatch {
    fn summary_text(&self) -> String {
        serde_json::to_string(&self.summary).expect("a summary is plain JSON")
    }

    fn started_at(&self) -> Timestamp {
        Timestamp::from_millis(self.summary.started_at_ms)
    }

    fn seats(&self) -> Vec<SeatRow> {
        let places = self.summary.outcome.as_ref().map(|outcome| &outcome.places);
        let place = |color| places.and_then(|places| places.get(&color).copied());
        let holders = self.summary.seats.iter().filter_map(|seat| Some((seat.color, seat.user.as_ref()?)));
        holders
            .map(|(color, user)| {
                let own = place(color);
                let shares = |places: &std::collections::BTreeMap<_, u8>| {
                    places.values().filter(|&&it| Some(it) == own).count() > 1
                };
                SeatRow {
                    color: color.name(),
                    user: user.id,
                    place: own.map(i16::from),
                    is_shared: own.is_some() && places.is_some_and(shares),
                }
            })
            .collect()
    }
}

impl ArchivedMatch {
    /// Returns the players' names as they are searched, each once.
    fn names(&self) -> BTreeSet<String> {
        let users = self.summary.seats.iter().filter_map(|seat| seat.user.as_ref());
        users.map(|user| folded(&user.name)).collect()
    }
}
