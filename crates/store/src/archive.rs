//! Rows of the archive: what lists show of matches that have begun. They follow from the logs.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use quadrex_protocol::archive::{MatchSummary, Standing};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::{Timestamp, Variant};
use tokio::sync::Notify;

use super::error::{StoreError, unreadable};
use super::{Database, Store, column, on};

/// A match as the archive keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedMatch {
    /// How far it was when it was looked at: running or ended.
    pub phase: Phase,
    /// Whether everybody may see it.
    pub is_public: bool,
    /// What lists show of it.
    pub summary: MatchSummary,
}

/// Which matches are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveQuery {
    /// Only those this user played in.
    pub user: Option<UserId>,
    /// Only those where somebody played under a name that begins so.
    pub player: Option<NameStart>,
    /// Only those of this variant.
    pub variant: Option<Variant>,
    /// Only those that come after this one in the list.
    pub before: Option<ArchivePlace>,
    /// Those everybody may see, and those that this one played in.
    pub seen_by: Option<UserId>,
    /// So many at most.
    pub limit: u16,
}

/// How a name begins, whether it is written in capitals or small letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameStart(String);

/// A text that no name begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name begins with 1 to {LONGEST_START} characters that are shown, this is something else")]
pub struct InvalidNameStart;

/// Characters of a name's beginning: as many as a name has at most.
const LONGEST_START: usize = 24;

impl NameStart {
    /// The least of all such names, in small letters.
    pub(super) fn least(&self) -> &str {
        &self.0
    }

    /// What comes after all such names, byte by byte.
    pub(super) fn beyond(&self) -> String {
        format!("{}{}", self.0, char::MAX)
    }
}

impl FromStr for NameStart {
    type Err = InvalidNameStart;

    fn from_str(text: &str) -> Result<Self, InvalidNameStart> {
        let start = text.trim();
        let fits = (1..=LONGEST_START).contains(&start.chars().count());
        if fits && !start.chars().any(char::is_control) {
            Ok(Self(folded(start)))
        } else {
            Err(InvalidNameStart)
        }
    }
}

/// A name as it is searched: in small letters.
fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// A match's place in a list that has the newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArchivePlace {
    /// When it began.
    pub started_at: Timestamp,
    /// Which of those that began then.
    pub match_id: MatchId,
}

/// A text that names no place in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a place in a list of matches: expected what `next` said")]
pub struct InvalidPlace;

/// As lists tell it in `next`: the milliseconds and the match.
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

/// A seat's columns.
pub(super) struct SeatRow {
    pub(super) color: &'static str,
    pub(super) user: UserId,
    pub(super) place: Option<i16>,
    pub(super) is_shared: bool,
}

impl ArchivedMatch {
    pub(super) fn summary_text(&self) -> String {
        serde_json::to_string(&self.summary).expect("a summary is plain JSON")
    }

    pub(super) fn started_at(&self) -> Timestamp {
        Timestamp::from_millis(self.summary.started_at_ms)
    }

    pub(super) fn seats(&self) -> Vec<SeatRow> {
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
    /// The names of those who play, each once, as they are searched.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let users = self.summary.seats.iter().filter_map(|seat| seat.user.as_ref());
        users.map(|user| folded(&user.name)).collect()
    }

    /// What was kept, read back.
    pub(super) fn read(phase: &str, is_public: bool, summary: &str) -> Result<Self, StoreError> {
        let phase = column::read_phase(phase).ok_or_else(|| unreadable("archived_matches.phase", phase))?;
        Ok(Self { phase, is_public, summary: read_summary(summary)? })
    }
}

pub(super) fn read_summary(text: &str) -> Result<MatchSummary, StoreError> {
    serde_json::from_str(text).map_err(|error| unreadable("archived_matches.summary", error))
}

/// Counts by variant, place and whether the place is shared, as standings.
pub(super) fn standings(counts: Vec<(String, i16, bool, i64)>) -> Result<Vec<Standing>, StoreError> {
    let mut standings: Vec<Standing> = Vec::new();
    for (variant, place, is_shared, count) in counts {
        let variant: Variant =
            variant.parse().map_err(|_| unreadable("archived_matches.variant", &variant))?;
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let index = standings.iter().position(|standing| standing.variant == variant).unwrap_or_else(|| {
            standings.push(Standing { variant, played: 0, won: 0, drawn: 0, places: [0; 4] });
            standings.len() - 1
        });
        let standing = &mut standings[index];
        standing.played += count;
        let at = usize::try_from(place).ok().and_then(|place| place.checked_sub(1));
        *at.and_then(|at| standing.places.get_mut(at))
            .ok_or_else(|| unreadable("archived_seats.place", place))? += count;
        match (place, is_shared) {
            (1, false) => standing.won += count,
            (1, true) => standing.drawn += count,
            _ => {}
        }
    }
    standings.sort_by_key(|standing| standing.variant);
    Ok(standings)
}

impl Store {
    /// Waits until a match has begun or ended here since the archive was last brought up to date.
    pub async fn archive_due(&self) {
        self.unarchived.wait().await;
    }

    /// Takes matches that have begun or ended here, at most so many: the caller archives them, or gives them back.
    #[must_use]
    pub fn take_due(&self, most: usize) -> Vec<MatchId> {
        self.unarchived.take(most)
    }

    /// Gives matches back that are still to be archived.
    pub fn give_back_due(&self, matches: impl IntoIterator<Item = MatchId>) {
        self.unarchived.add(matches);
    }

    /// Matches that have begun or ended and are not archived so, whoever wrote them, in the order of their ids after
    /// `after`, at most so many.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn unarchived(&self, after: Option<MatchId>, limit: u16) -> Result<Vec<MatchId>, StoreError> {
        on!(self, unarchived(after, limit))
    }

    /// Keeps what lists show of these matches. What is known of a match's end already stays.
    ///
    /// # Errors
    /// [`StoreError`]; archiving again is harmless.
    pub async fn archive(&self, matches: &[ArchivedMatch]) -> Result<(), StoreError> {
        on!(self, archive(matches))
    }

    /// Archived matches, the newest first.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn archived(&self, query: &ArchiveQuery) -> Result<Vec<MatchSummary>, StoreError> {
        on!(self, archived(query))
    }

    /// A match as the archive has it, if it has.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn archived_match(&self, match_id: MatchId) -> Result<Option<ArchivedMatch>, StoreError> {
        on!(self, archived_match(match_id))
    }

    /// How a user did in the archived matches that `seen_by` may see.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn standings(
        &self,
        user: UserId,
        seen_by: Option<UserId>,
    ) -> Result<Vec<Standing>, StoreError> {
        on!(self, standings(user, seen_by))
    }
}

/// Matches whose logs have gone from one phase to the next since the archive was brought up to date. Only this process
/// knows them: what another one wrote, or what was lost with it, [`Store::unarchived`](super::Store::unarchived) finds.
#[derive(Clone, Debug, Default)]
pub(super) struct Due(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    matches: Mutex<BTreeSet<MatchId>>,
    added: Notify,
}

impl Due {
    pub(super) fn add(&self, matches: impl IntoIterator<Item = MatchId>) {
        self.0.matches.lock().unwrap_or_else(PoisonError::into_inner).extend(matches);
        self.0.added.notify_one();
    }

    /// Takes at most so many of them.
    pub(super) fn take(&self, most: usize) -> Vec<MatchId> {
        let mut matches = self.0.matches.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| matches.pop_first()).take(most).collect()
    }

    pub(super) async fn wait(&self) {
        self.0.added.notified().await;
    }
}
