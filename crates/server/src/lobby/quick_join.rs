//! The quick join, which gives a user a seat at a suitable table, or at a new table.

use std::time::Duration;

use quadrex_cluster::NodeId;
use quadrex_cluster::message::{
    MessageBody, QuickJoinAnswer, QuickJoinOutcome, QuickJoinQuestion, SeatOrigin,
};
use quadrex_protocol::http::{CreateTable, QuickJoin, QuickJoined, TableCreated, TableSummary};
use quadrex_protocol::settings::{Admission, Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Phase, SeatView};
use quadrex_protocol::{CommandId, TableId, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_store::RatingKind;

use super::actor::Message;
use super::{FindError, Lobby, OpenError, REQUEST_LOCKS};
use crate::actor::{Answer, CommandRequest, TableHandle, random_nonce};
use crate::cluster::ClusterLink;
use crate::fault::Fault;
use quadrex_table::{Action, PlayerCommand, check_player, validate_settings};

/// The number of a user's tables that are checked for an earlier quick join.
const OWN_TABLES_CHECKED: u16 = 100;

/// The time that a node waits for another one that handles a quick join.
const QUICK_JOIN_PATIENCE: Duration = Duration::from_millis(500);

/// The request of a user for a seat at any table that suits it.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    request: QuickJoin,
    user: UserId,
    /// The user's rating, if the request is for a rated match.
    rating: Option<i32>,
}

/// A user who wants a seat by a quick join.
#[derive(Clone, Debug)]
pub struct Joiner {
    /// The user.
    pub user: UserView,
    /// The network of the user's client, as text, if it says anything about the user.
    pub network: Option<String>,
}

/// There is no table to join, and none may be created.
struct NoTable;

/// The reason for which a quick join of a user at another node has failed.
enum JoinError {
    /// See [`NoTable`].
    NoTable,
    Open(OpenError),
}

impl From<OpenError> for JoinError {
    fn from(error: OpenError) -> Self {
        Self::Open(error)
    }
}

impl Lobby {
    /// Gives the user `by` a seat at a public table that suits the request. If there is no such
    /// table and `may_create` allows it, creates a table.
    ///
    /// # Errors
    /// Returns the error of `may_create`, or [`OpenError`] if the time control is invalid, the user
    /// may not play rated matches, another request has the same `cmd`, or the store failed.
    pub async fn quick_join<E, F>(
        &self,
        request: &QuickJoin,
        by: &Joiner,
        may_create: impl FnOnce() -> F,
    ) -> Result<QuickJoined, E>
    where
        E: From<OpenError>,
        F: Future<Output = Result<(), E>>,
    {
        check_rated(request, &by.user)?;
        if request.rated {
            self.check_rated_wait(by.user.id).await?;
        }
        let Some(cluster) = &self.deps.cluster else {
            return self.quick_join_here(request, by, may_create).await;
        };
        // All quick joins of a variant are handled by one node, so that two users who join at the
        // same time do not get a table each.
        let owner = cluster.key_owner(&format!("quick join {}", request.variant));
        if owner == cluster.node() {
            return self.quick_join_here(request, by, may_create).await;
        }
        match self.ask_to_join(cluster, owner, request, by, false).await? {
            Some(Ok(joined)) => return Ok(joined),
            Some(Err(NoTable)) => {}
            // The node does not answer, or is about to leave.
            None => return self.quick_join_here(request, by, may_create).await,
        }
        may_create().await?;
        match self.ask_to_join(cluster, owner, request, by, true).await? {
            Some(Ok(joined)) => Ok(joined),
            Some(Err(NoTable)) | None => {
                self.quick_join_here(request, by, || std::future::ready(Ok(()))).await
            }
        }
    }

    /// Asks another node for a quick join. Returns `None` if the node does not answer.
    async fn ask_to_join(
        &self,
        cluster: &ClusterLink,
        node: NodeId,
        request: &QuickJoin,
        by: &Joiner,
        may_create: bool,
    ) -> Result<Option<Result<QuickJoined, NoTable>>, OpenError> {
        let Joiner { user, network } = by.clone();
        let question = QuickJoinQuestion { request: request.clone(), user, network, may_create };
        let answer = cluster.ask(node, question.into(), QUICK_JOIN_PATIENCE).await;
        let Some(MessageBody::QuickJoinAnswer(QuickJoinAnswer { outcome })) = answer else { return Ok(None) };
        match outcome {
            QuickJoinOutcome::Joined(joined) => Ok(Some(Ok(joined))),
            QuickJoinOutcome::NoTable => Ok(Some(Err(NoTable))),
            QuickJoinOutcome::Refused { code, text } => Err(OpenError::Elsewhere { code, text }),
            QuickJoinOutcome::Fault { id } => Err(Fault::of_other_server(id).into()),
        }
    }

    /// Handles the quick join of a user at another node.
    pub async fn answer_quick_join(&self, question: &QuickJoinQuestion) -> QuickJoinOutcome {
        let QuickJoinQuestion { request, user, network, may_create } = question;
        let joiner = Joiner { user: user.clone(), network: network.clone() };
        let may_create = || std::future::ready(if *may_create { Ok(()) } else { Err(JoinError::NoTable) });
        match self.quick_join_here(request, &joiner, may_create).await {
            Ok(joined) => QuickJoinOutcome::Joined(joined),
            Err(JoinError::NoTable | JoinError::Open(OpenError::Stopped(_))) => QuickJoinOutcome::NoTable,
            Err(JoinError::Open(OpenError::Fault(fault))) => QuickJoinOutcome::Fault { id: fault.id() },
            Err(JoinError::Open(error)) => match error.code() {
                Some(code) => QuickJoinOutcome::Refused { code, text: error.to_string() },
                None => QuickJoinOutcome::NoTable,
            },
        }
    }

    /// Does the same as [`quick_join`](Self::quick_join) at this node.
    async fn quick_join_here<E, F>(
        &self,
        request: &QuickJoin,
        by: &Joiner,
        may_create: impl FnOnce() -> F,
    ) -> Result<QuickJoined, E>
    where
        E: From<OpenError>,
        F: Future<Output = Result<(), E>>,
    {
        let _request_lock = match &request.cmd {
            Some(_) => Some(self.request_locks[by.user.id.0.as_u128() as usize % REQUEST_LOCKS].lock().await),
            None => None,
        };
        if let Some(joined) = self.earlier_join(request, &by.user).await? {
            return Ok(joined);
        }
        if let Some(joined) = self.join_any(request, by).await? {
            return Ok(joined);
        }
        // If several requests find no table at the same time, one of them creates a table, and the
        // others find that table.
        let _creation_lock = self.creation_lock.lock().await;
        if let Some(joined) = self.join_any(request, by).await? {
            return Ok(joined);
        }
        may_create().await?;
        let (host, network) = (by.user.clone(), by.network.clone());
        let opened = self.open_once(table_request(request), host, Vec::new(), network).await?;
        Ok(host_seat(request, opened.created))
    }

    /// Returns the seat that an earlier request with the same `cmd` got. The earlier request
    /// created the table, or it joined a table that is not finished yet.
    async fn earlier_join(
        &self,
        request: &QuickJoin,
        by: &UserView,
    ) -> Result<Option<QuickJoined>, OpenError> {
        let Some(cmd) = &request.cmd else { return Ok(None) };
        if let Some(created) = self.requested(&table_request(request), by.id).await? {
            return Ok(Some(host_seat(request, created)));
        }
        let matches = self.deps.store.own_matches(by.id, None, OWN_TABLES_CHECKED).await;
        for own in matches.map_err(|error| self.fault("list the tables of a user", &error))? {
            let answer = self.earlier_answer(own.match_id, by.id, cmd).await;
            if answer.map_err(|error| self.fault("look up a command", &error))?.is_none() {
                continue;
            }
            let Some(handle) = self.find_to_join(own.table).await? else { continue };
            let (overview, match_id) = (handle.overview(), own.match_id);
            let settings = overview.settings();
            if settings.variant != request.variant
                || settings.rated != request.rated
                || !fits_time(settings.time, request.time)
            {
                return Err(OpenError::CmdTaken);
            }
            let own_seat = overview.seats().iter().find(|seat| is_of(seat, by.id));
            return Ok(own_seat.map(|seat| QuickJoined { table: own.table, match_id, seat: seat.color }));
        }
        Ok(None)
    }

    /// Takes a seat at the first suitable table that accepts the user.
    async fn join_any(&self, request: &QuickJoin, by: &Joiner) -> Result<Option<QuickJoined>, OpenError> {
        let rating = match request.time.filter(|_| request.rated) {
            Some(time) => self.rating_of(by.user.id, request.variant, time).await?,
            None => None,
        };
        let wish = Wish { request: request.clone(), user: by.user.id, rating };
        let fitting = self.request(|answer| Message::Fitting { wish, answer }).await?;
        for table in fitting {
            let nonce = request.nonce.clone().unwrap_or_else(|| random_nonce(&self.deps.entropy));
            let sit = Action::Sit { seat: None, invite: None, nonce, rating };
            if let Some(joined) = self.join(table, by, sit, request.cmd.clone()).await? {
                return Ok(Some(joined));
            }
        }
        Ok(None)
    }

    /// Returns the rating of a user that counts at tables with this variant and time control.
    pub(crate) async fn rating_of(
        &self,
        user: UserId,
        variant: Variant,
        time: TimeSetting,
    ) -> Result<Option<i32>, Fault> {
        let Some(kind) = RatingKind::of(variant, time) else { return Ok(None) };
        let rating = self.deps.store.current_rating(user, kind, self.deps.clock.now()).await;
        Ok(Some(rating.map_err(|error| self.fault("read a rating", &error))?.rounded()))
    }

    async fn find_to_join(&self, table: TableId) -> Result<Option<TableHandle>, OpenError> {
        self.find(table).await.map_err(|error| match error {
            FindError::Fault(fault) => fault.into(),
            FindError::Stopped(stopped) => stopped.into(),
        })
    }

    /// Takes a seat at this table. Returns `None` if the table no longer has a seat for the user.
    async fn join(
        &self,
        table: TableId,
        by: &Joiner,
        sit: Action,
        cmd: Option<CommandId>,
    ) -> Result<Option<QuickJoined>, OpenError> {
        let Some(handle) = self.find_to_join(table).await? else { return Ok(None) };
        let new_cmd = || self.deps.entropy.uuid(self.deps.clock.now()).to_string();
        let command_id = cmd.unwrap_or_else(|| new_cmd().parse().expect("a UUID is a valid command id"));
        let command = CommandRequest {
            command: PlayerCommand { by: by.user.clone(), seat: None, action: sit },
            command_id,
            match_id: None,
            redeemed_invite: None,
            origin: SeatOrigin { network: by.network.clone(), is_quick_join: true },
        };
        match handle.send_command(command).await {
            Ok(Answer::Done { .. }) => {
                let overview = handle.overview();
                let own_seat = overview.seats().iter().find(|seat| is_of(seat, by.user.id));
                // Over another connection the user may have left the seat again.
                Ok(own_seat.map(|seat| QuickJoined {
                    table,
                    match_id: overview.head.match_id,
                    seat: seat.color,
                }))
            }
            Ok(Answer::Fault(fault)) => Err(fault.into()),
            Ok(Answer::Refused { .. } | Answer::InviteUsed) | Err(_) => Ok(None),
        }
    }
}

/// Checks that the user may play at a rated table, if the request is for one, before a table is
/// looked for.
fn check_rated(request: &QuickJoin, by: &UserView) -> Result<(), OpenError> {
    if request.rated {
        check_player(&validate_settings(table_request(request))?, by)?;
    }
    Ok(())
}

/// Returns the request for a new table that suits a quick join.
fn table_request(request: &QuickJoin) -> CreateTable {
    CreateTable {
        seat: Some(first_seat(request)),
        nonce: request.nonce.clone(),
        time: request.time,
        rated: request.rated.then_some(true),
        cmd: request.cmd.clone(),
        ..CreateTable::plain(request.variant, Privacy::Public)
    }
}

fn first_seat(request: &QuickJoin) -> Color {
    request.variant.colors()[0]
}

/// Returns the answer to a request for which a table was created: the seat of its user, the host.
fn host_seat(request: &QuickJoin, created: TableCreated) -> QuickJoined {
    QuickJoined { table: created.table, match_id: created.match_id, seat: first_seat(request) }
}

/// Returns the tables that suit a request. Tables with fewer open seats come first. Of
/// tables with equal numbers of open seats, the oldest comes first. The result may include tables
/// from which the user was kicked. These tables refuse the user.
pub(super) fn fitting<'a>(tables: impl Iterator<Item = &'a TableSummary>, wish: &Wish) -> Vec<TableId> {
    let mut fitting: Vec<_> = tables.filter(|table| wish.fits(table)).collect();
    fitting.sort_by_key(|table| (open_seats(table), table.created_at_ms, table.table));
    fitting.into_iter().map(|table| table.table).collect()
}

impl Wish {
    /// Returns whether the table suits the request.
    fn fits(&self, table: &TableSummary) -> bool {
        let Self { request, user, rating } = self;
        let settings = &table.settings;
        table.phase == Phase::Open
            && settings.privacy == Privacy::Public
            && settings.admission == Admission::Open
            && settings.variant == request.variant
            && fits_time(settings.time, request.time)
            && settings.setup.is_none()
            && settings.rated == request.rated
            && settings.rating_range.is_none_or(|range| rating.is_some_and(|it| range.contains(it)))
            && !settings.hotseat
            && !settings.anonymous
            && open_seats(table) > 0
            && has_people(table)
            && !table.seats.iter().any(|seat| is_of(seat, *user))
    }
}

/// Returns whether a time control suits a request. If the request names no time control, all except
/// correspondence suit it.
fn fits_time(time: TimeSetting, wanted: Option<TimeSetting>) -> bool {
    wanted.map_or(!matches!(time, TimeSetting::Correspondence { .. }), |wanted| wanted == time)
}

fn open_seats(table: &TableSummary) -> usize {
    table.seats.iter().filter(|seat| seat.user.is_none()).count()
}

fn has_people(table: &TableSummary) -> bool {
    table.seats.iter().any(|seat| seat.user.as_ref().is_some_and(|user| !user.is_server_bot()))
}

fn is_of(seat: &SeatView, user: UserId) -> bool {
    seat.user.as_ref().is_some_and(|seated| seated.id == user)
}

#[cfg(test)]
mod tests {
    use quadrex_protocol::settings::RatingRange;
    use quadrex_protocol::view::Side;
    use uuid::Uuid;

    use super::*;

    const ME: UserId = UserId(Uuid::from_u128(1_000));
    const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 3_000 };

    fn user(id: UserId) -> UserView {
        UserView { id, name: format!("user {}", id.0.as_u128()), account: false, bot: None, anonymous: false }
    }

    /// Returns a public table that was created at `created_ms` and has this many occupied seats.
    fn table(number: u128, created_ms: u64, seated: usize) -> TableSummary {
        let settings = validate_settings(CreateTable::plain(Variant::Dilkel, Privacy::Public)).unwrap();
        let seat = |(place, color): (usize, &Color)| SeatView {
            color: *color,
            side: Side::South,
            substitute: None,
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
            created_at_ms: created_ms,
        }
    }

    fn request(time: Option<TimeSetting>) -> QuickJoin {
        QuickJoin { time, ..QuickJoin::plain(Variant::Dilkel) }
    }

    fn numbers(tables: &[TableSummary], request: &QuickJoin) -> Vec<u128> {
        numbers_at(tables, request, None)
    }

    fn numbers_at(tables: &[TableSummary], request: &QuickJoin, rating: Option<i32>) -> Vec<u128> {
        let wish = Wish { request: request.clone(), user: ME, rating };
        fitting(tables.iter(), &wish).into_iter().map(|table| table.0.as_u128()).collect()
    }

    #[test]
    fn the_fullest_table_is_first_and_then_the_oldest() {
        let tables = [table(1, 10, 1), table(2, 20, 3), table(3, 5, 1), table(4, 30, 3), table(5, 1, 0)];
        assert_eq!(numbers(&tables, &request(None)), [2, 4, 3, 1], "nobody waits at the last one");
    }

    #[test]
    fn a_time_control_matches_only_itself_and_no_choice_matches_all_but_correspondence() {
        let slow = TimeSetting::Correspondence { days: 3 };
        let mut tables = [table(1, 1, 1), table(2, 2, 1), table(3, 3, 1)];
        (tables[0].settings.time, tables[2].settings.time) = (BLITZ, slow);
        assert_eq!(numbers(&tables, &request(Some(BLITZ))), [1]);
        assert_eq!(numbers(&tables, &request(Some(TimeSetting::None))), [2]);
        assert_eq!(numbers(&tables, &request(Some(slow))), [3]);
        assert_eq!(numbers(&tables, &request(None)), [1, 2]);
    }

    #[test]
    fn a_request_for_a_rated_match_fits_rated_tables_only() {
        let mut tables = [table(1, 1, 1), table(2, 2, 1)];
        tables[1].settings.rated = true;
        let rated = QuickJoin { rated: true, ..request(None) };
        assert_eq!(numbers(&tables, &rated), [2]);
    }

    #[test]
    fn a_table_with_a_range_of_ratings_fits_ratings_in_the_range() {
        let ranges = [(None, None), (Some(1_400), Some(1_600)), (Some(1_601), None), (None, Some(1_399))];
        let mut tables = [table(1, 1, 1), table(2, 2, 1), table(3, 3, 1), table(4, 4, 1)];
        for (table, (min, max)) in tables.iter_mut().zip(ranges) {
            table.settings.rated = true;
            table.settings.rating_range = (min.or(max)).map(|_| RatingRange { min, max });
        }
        let rated = QuickJoin { rated: true, ..request(None) };
        let cases: [(_, &[u128]); 6] = [
            (1_399, &[1, 4]),
            (1_400, &[1, 2]),
            (1_600, &[1, 2]),
            (1_601, &[1, 3]),
            (-20, &[1, 4]),
            (5_000, &[1, 3]),
        ];
        for (rating, expected) in cases {
            assert_eq!(numbers_at(&tables, &rated, Some(rating)), expected, "{rating}");
        }
    }

    #[test]
    fn a_table_with_any_other_setting_does_not_match() {
        type Change = (&'static str, fn(&mut TableSummary));
        let changes: [Change; 11] = [
            ("running", |table| table.phase = Phase::Running),
            ("ended", |table| table.phase = Phase::Ended),
            ("private", |table| table.settings.privacy = Privacy::Private),
            ("by invite", |table| table.settings.admission = Admission::Invite),
            ("another variant", |table| table.settings.variant = Variant::DilkelCompact),
            ("its own setup", |table| table.settings.setup = Some("a position".to_owned())),
            ("rated", |table| table.settings.rated = true),
            ("hotseat", |table| table.settings.hotseat = true),
            ("anonymous", |table| table.settings.anonymous = true),
            ("full", |table| {
                for seat in &mut table.seats {
                    seat.user = Some(user(UserId(Uuid::from_u128(7))));
                }
            }),
            ("with an own seat", |table| table.seats[3].user = Some(user(ME))),
        ];
        assert_eq!(numbers(&[table(1, 1, 1)], &request(None)), [1]);
        for (what, change) in changes {
            let mut other = table(1, 1, 1);
            change(&mut other);
            assert_eq!(numbers(&[other], &request(None)), [0; 0], "a table that is {what}");
        }
    }
}
