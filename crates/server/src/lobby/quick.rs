//! Quick join: a seat at a table that fits, or at a new one.

use quadrex_protocol::http::{CreateTable, QuickJoin, QuickJoined, TableCreated, TableSummary};
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::{Admission, Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Phase, SeatView};
use quadrex_protocol::{CmdId, TableId, UserId};
use quadrex_rules::Color;

use super::actor::Message;
use super::{Lobby, NAMED_TURNS, OpenError, TablePage};
use crate::table::{Action, Answer, CommandRequest, make_nonce};

/// How many of a user's tables are asked whether a quick join seated the user there.
const ONES_OWN: u16 = 100;

impl Lobby {
    /// Seats `by` at a public table that fits the wish, or at a new one if there is none and `may_make` lets it.
    ///
    /// # Errors
    /// What `may_make` says, or [`OpenError`] if the wish's time control cannot be, another request has the wish's name, or
    /// the store could not keep it.
    pub async fn quick_join<E: From<OpenError>>(
        &self,
        wish: &QuickJoin,
        by: &UserView,
        may_make: impl FnOnce() -> Result<(), E>,
    ) -> Result<QuickJoined, E> {
        let _named_turn = match &wish.cmd {
            Some(_) => Some(self.named_turns[by.id.0.as_u128() as usize % NAMED_TURNS].lock().await),
            None => None,
        };
        if let Some(joined) = self.joined_before(wish, by).await? {
            return Ok(joined);
        }
        if let Some(joined) = self.join_any(wish, by).await? {
            return Ok(joined);
        }
        // Of several who find nothing at the same time, the first makes a table and the others find it.
        let _turn = self.quick_turn.lock().await;
        if let Some(joined) = self.join_any(wish, by).await? {
            return Ok(joined);
        }
        may_make()?;
        let opened = self.open_once(request_of(wish), by.clone(), Vec::new()).await?;
        Ok(host_of(wish, opened.created))
    }

    /// The seat that a wish of this name got before: at a table it made, or at one that was there and is not over.
    async fn joined_before(&self, wish: &QuickJoin, by: &UserView) -> Result<Option<QuickJoined>, OpenError> {
        let Some(cmd) = &wish.cmd else { return Ok(None) };
        if let Some(made) = self.requested(&request_of(wish), by.id).await? {
            return Ok(Some(host_of(wish, made)));
        }
        let page = TablePage { before: None, limit: ONES_OWN };
        for table in self.mine(by.id, page).await?.0 {
            let Some(handle) = self.running(table.table).await? else { continue };
            let overview = handle.overview();
            let match_id = overview.head.match_id;
            let answer = self.answered_before(match_id, by.id, cmd).await;
            if answer.map_err(|error| self.fault("look up a command", &error))?.is_none() {
                continue;
            }
            if table.settings.variant != wish.variant || !fits_time(table.settings.time, wish.time) {
                return Err(OpenError::CmdTaken);
            }
            let held = overview.seats().iter().find(|seat| holds(seat, by.id));
            return Ok(held.map(|seat| QuickJoined { table: table.table, match_id, seat: seat.color }));
        }
        Ok(None)
    }

    /// A seat at the first table that fits and still takes this person.
    async fn join_any(&self, wish: &QuickJoin, by: &UserView) -> Result<Option<QuickJoined>, OpenError> {
        let fitting = self.ask(|answer| Message::Fitting { wish: wish.clone(), user: by.id, answer }).await?;
        for table in fitting {
            let nonce = wish.nonce.clone().unwrap_or_else(|| make_nonce(&self.tools.entropy));
            if let Some(joined) = self.join(table, by, nonce, wish.cmd.clone()).await? {
                return Ok(Some(joined));
            }
        }
        Ok(None)
    }

    /// A seat at this table; `None` if it has none for this person any more.
    async fn join(
        &self,
        table: TableId,
        by: &UserView,
        nonce: Nonce,
        cmd: Option<CmdId>,
    ) -> Result<Option<QuickJoined>, OpenError> {
        let Some(handle) = self.ask(|answer| Message::Find { table, answer }).await? else {
            return Ok(None);
        };
        let made = || self.tools.entropy.uuid(self.tools.clock.now()).to_string();
        let cmd = cmd.unwrap_or_else(|| made().parse().expect("a UUID names a command"));
        let request = CommandRequest {
            by: by.clone(),
            seat: None,
            action: Action::Sit { seat: None, invite: None, nonce },
            cmd,
            match_id: None,
            redeem: None,
        };
        match handle.command(request).await {
            Ok(Answer::Done { .. }) => {
                let overview = handle.overview();
                let held = overview.seats().iter().find(|seat| holds(seat, by.id));
                // No seat: put out or away again over another line before this one looked.
                Ok(held.map(|seat| QuickJoined { table, match_id: overview.head.match_id, seat: seat.color }))
            }
            Ok(Answer::Fault(fault)) => Err(fault.into()),
            Ok(Answer::Refused { .. } | Answer::InviteUsed) | Err(_) => Ok(None),
        }
    }
}

/// The table that is made for a wish.
fn request_of(wish: &QuickJoin) -> CreateTable {
    CreateTable {
        seat: Some(first_seat(wish)),
        nonce: wish.nonce.clone(),
        time: wish.time,
        cmd: wish.cmd.clone(),
        ..CreateTable::plain(wish.variant, Privacy::Public)
    }
}

fn first_seat(wish: &QuickJoin) -> Color {
    wish.variant.colors()[0]
}

/// The seat of a user for whose wish a table was made.
fn host_of(wish: &QuickJoin, made: TableCreated) -> QuickJoined {
    QuickJoined { table: made.table, match_id: made.match_id, seat: first_seat(wish) }
}

/// The tables where this user may take a seat as wished: the fewest open seats first, then the oldest. Who was put
/// out somewhere is refused there only by the table itself.
pub(super) fn fitting<'a>(
    tables: impl Iterator<Item = &'a TableSummary>,
    wish: &QuickJoin,
    user: UserId,
) -> Vec<TableId> {
    let mut fitting: Vec<_> = tables.filter(|table| fits(table, wish, user)).collect();
    fitting.sort_by_key(|table| (open_seats(table), table.created_at_ms, table.table));
    fitting.into_iter().map(|table| table.table).collect()
}

fn fits(table: &TableSummary, wish: &QuickJoin, user: UserId) -> bool {
    let settings = &table.settings;
    table.phase == Phase::Open
        && settings.privacy == Privacy::Public
        && settings.admission == Admission::Open
        && settings.variant == wish.variant
        && fits_time(settings.time, wish.time)
        && settings.setup.is_none()
        && !settings.rated
        && !settings.hotseat
        && open_seats(table) > 0
        && !table.seats.iter().any(|seat| holds(seat, user))
}

/// Whoever names no time control wants to play now: any but days a turn will do.
fn fits_time(time: TimeSetting, wished: Option<TimeSetting>) -> bool {
    wished.map_or(!matches!(time, TimeSetting::Correspondence { .. }), |wished| wished == time)
}

fn open_seats(table: &TableSummary) -> usize {
    table.seats.iter().filter(|seat| seat.user.is_none()).count()
}

fn holds(seat: &SeatView, user: UserId) -> bool {
    seat.user.as_ref().is_some_and(|holder| holder.id == user)
}

#[cfg(test)]
mod tests {
    use quadrex_protocol::view::Side;
    use quadrex_rules::Variant;
    use uuid::Uuid;

    use super::*;
    use crate::table::settle;

    const ME: UserId = UserId(Uuid::from_u128(1_000));
    const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 3_000 };

    fn user(id: UserId) -> UserView {
        UserView { id, name: format!("user {}", id.0.as_u128()), bot: None }
    }

    /// A public table made at that time, with as many strangers at it.
    fn table(number: u128, made_ms: u64, seated: usize) -> TableSummary {
        let settings = settle(CreateTable::plain(Variant::Dilkel, Privacy::Public)).unwrap();
        let seat = |(place, color): (usize, &Color)| SeatView {
            color: *color,
            side: Side::South,
            stand_in: None,
            user: (place < seated).then(|| user(UserId(Uuid::from_u128(place as u128)))),
        };
        TableSummary {
            table: TableId(Uuid::from_u128(number)),
            settings,
            host: user(UserId(Uuid::from_u128(0))),
            phase: Phase::Open,
            seats: Variant::Dilkel.colors().iter().enumerate().map(seat).collect(),
            turn: None,
            plies: 0,
            spectators: 0,
            created_at_ms: made_ms,
        }
    }

    fn wish(time: Option<TimeSetting>) -> QuickJoin {
        QuickJoin { variant: Variant::Dilkel, time, nonce: None, cmd: None }
    }

    fn numbers(tables: &[TableSummary], wish: &QuickJoin) -> Vec<u128> {
        fitting(tables.iter(), wish, ME).into_iter().map(|table| table.0.as_u128()).collect()
    }

    #[test]
    fn the_fullest_table_comes_first_and_of_equal_ones_the_oldest() {
        let tables = [table(1, 10, 1), table(2, 20, 3), table(3, 5, 1), table(4, 30, 3), table(5, 1, 0)];
        assert_eq!(numbers(&tables, &wish(None)), [2, 4, 3, 1, 5]);
    }

    #[test]
    fn a_time_control_fits_only_itself_and_who_names_none_plays_now() {
        let slow = TimeSetting::Correspondence { days: 3 };
        let mut tables = [table(1, 1, 1), table(2, 2, 1), table(3, 3, 1)];
        (tables[0].settings.time, tables[2].settings.time) = (BLITZ, slow);
        assert_eq!(numbers(&tables, &wish(Some(BLITZ))), [1]);
        assert_eq!(numbers(&tables, &wish(Some(TimeSetting::None))), [2]);
        assert_eq!(numbers(&tables, &wish(Some(slow))), [3]);
        assert_eq!(numbers(&tables, &wish(None)), [1, 2]);
    }

    #[test]
    fn a_table_that_differs_in_anything_does_not_fit() {
        type Change = (&'static str, fn(&mut TableSummary));
        let changes: [Change; 10] = [
            ("running", |table| table.phase = Phase::Running),
            ("ended", |table| table.phase = Phase::Ended),
            ("private", |table| table.settings.privacy = Privacy::Private),
            ("by invite", |table| table.settings.admission = Admission::Invite),
            ("another variant", |table| table.settings.variant = Variant::DilkelCompact),
            ("its own setup", |table| table.settings.setup = Some("a position".to_owned())),
            ("rated", |table| table.settings.rated = true),
            ("hotseat", |table| table.settings.hotseat = true),
            ("full", |table| {
                for seat in &mut table.seats {
                    seat.user = Some(user(UserId(Uuid::from_u128(7))));
                }
            }),
            ("where one sits", |table| table.seats[3].user = Some(user(ME))),
        ];
        assert_eq!(numbers(&[table(1, 1, 1)], &wish(None)), [1]);
        for (what, change) in changes {
            let mut other = table(1, 1, 1);
            change(&mut other);
            assert_eq!(numbers(&[other], &wish(None)), [0; 0], "a table that is {what}");
        }
    }
}
