//! The archive: summaries of all matches that have started, for lists of matches. The archive is
//! computed from the logs.

mod queries;
mod queue;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::{Timestamp, Variant};

use crate::leaves::Leave;
use crate::pairs::PairActs;
pub(super) use queries::{RawArchivedMatch, put_names};
pub(super) use queue::{ArchiveQueue, QUEUE_FOR_ARCHIVE};

/// A match in the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedMatch {
    /// The phase of the match when it was archived: running or ended.
    pub phase: Phase,
    /// True if everybody may see the match.
    pub is_public: bool,
    /// The summary for lists of matches.
    pub summary: MatchSummary,
}

/// A match that is being archived, with facts of its log that are stored beside the summary.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchToArchive {
    /// The match.
    pub archived: ArchivedMatch,
    /// The people who hold seats, even if the summary has no names.
    pub players: Vec<UserId>,
    /// The users who have left the match before its end. Empty for a casual match.
    pub leaves: Vec<Leave>,
    /// The acts of the players against each other. Empty if the match does not count for the
    /// statistics of pairs.
    pub pairs: Vec<PairActs>,
}

impl From<ArchivedMatch> for MatchToArchive {
    fn from(archived: ArchivedMatch) -> Self {
        let players = archived.people();
        Self { archived, players, leaves: Vec::new(), pairs: Vec::new() }
    }
}

/// The criteria of a list of matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveQuery {
    /// If given, only matches in which this user played.
    pub user: Option<UserId>,
    /// If given, only matches with a player whose name begins with this text.
    pub player: Option<NamePrefix>,
    /// If given, only matches of this variant.
    pub variant: Option<Variant>,
    /// If given, only matches that come after this cursor in the list.
    pub before: Option<ArchiveCursor>,
    /// The user for whom the list is made. The list contains public matches, and the matches in
    /// which this user played.
    pub seen_by: Option<UserId>,
    /// The maximum number of matches.
    pub limit: u16,
}

/// The beginning of a player's name, for a case-insensitive search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePrefix(String);

/// The error for a text that cannot be the beginning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name begins with 1 to {MAX_PREFIX_LENGTH} characters that are shown, this is something else")]
pub struct InvalidNamePrefix;

/// The maximum length of a prefix in characters, which is also the maximum length of a name.
const MAX_PREFIX_LENGTH: usize = 24;

impl NamePrefix {
    /// Returns the lower-case name with this prefix that is first in byte order.
    fn range_start(&self) -> &str {
        &self.0
    }

    /// Returns a text that comes after all names with this prefix in byte order.
    fn range_end(&self) -> String {
        format!("{}{}", self.0, char::MAX)
    }
}

impl FromStr for NamePrefix {
    type Err = InvalidNamePrefix;

    fn from_str(text: &str) -> Result<Self, InvalidNamePrefix> {
        let start = text.trim();
        let fits = (1..=MAX_PREFIX_LENGTH).contains(&start.chars().count());
        if fits && !start.chars().any(char::is_control) {
            Ok(Self(folded(start)))
        } else {
            Err(InvalidNamePrefix)
        }
    }
}

/// Returns a name in the form in which it is stored for searches: in lower case.
fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// The end of a page in a list of matches: the last match of the page. The list begins with the
/// newest match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArchiveCursor {
    /// The time at which the match started.
    pub started_at: Timestamp,
    /// The id of the match, which orders matches that started at the same time.
    pub match_id: MatchId,
}

/// The error for a text that is not an [`ArchiveCursor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a place in a list of matches: expected the value of `next`")]
pub struct InvalidCursor;

/// Formats the cursor as the value of `next` in lists: the start time in milliseconds, a dot, and
/// the match's id.
impl fmt::Display for ArchiveCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.started_at.as_millis(), self.match_id)
    }
}

impl FromStr for ArchiveCursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let (millis, match_id) = text.split_once('.').ok_or(InvalidCursor)?;
        // The limit is the year 9999, because Postgres cannot store later times.
        let millis: u64 =
            millis.parse().ok().filter(|millis| *millis < 253_402_300_800_000).ok_or(InvalidCursor)?;
        let match_id = match_id.parse().map_err(|_| InvalidCursor)?;
        let place = Self { started_at: Timestamp::from_millis(millis), match_id };
        if place.to_string() == text { Ok(place) } else { Err(InvalidCursor) }
    }
}

/// The values of a row in `archived_seats`.
struct SeatRow {
    color: &'static str,
    user: UserId,
    place: Option<i16>,
    is_shared: bool,
}

impl ArchivedMatch {
    pub(super) fn summary_text(&self) -> String {
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
            .filter(|(_, user)| !user.anonymous)
            .map(|(color, user)| {
                let own_place = place(color);
                let shares = |places: &std::collections::BTreeMap<_, u8>| {
                    places.values().filter(|&&it| Some(it) == own_place).count() > 1
                };
                SeatRow {
                    color: color.name(),
                    user: user.id,
                    place: own_place.map(i16::from),
                    is_shared: own_place.is_some() && places.is_some_and(shares),
                }
            })
            .collect()
    }
}

impl ArchivedMatch {
    /// Returns the people who hold seats, without bots and duplicates.
    #[must_use]
    pub fn people(&self) -> Vec<UserId> {
        let users = self.summary.seats.iter().filter_map(|seat| seat.user.as_ref());
        let people: BTreeSet<UserId> = users.filter(|user| user.bot.is_none()).map(|user| user.id).collect();
        people.into_iter().collect()
    }

    /// Returns the names of the players without duplicates, in the form in which names are stored
    /// for searches.
    fn names(&self) -> BTreeSet<String> {
        let users = self.summary.seats.iter().filter_map(|seat| seat.user.as_ref());
        users.filter(|user| !user.anonymous).map(|user| folded(&user.name)).collect()
    }
}
