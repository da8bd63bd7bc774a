//! Conditional moves and vacations, which a player of a correspondence match leaves to the server until the
//! next visit.

use quadrex_protocol::conditional::{ConditionalLine, ConditionalStep};
use quadrex_protocol::http::{BeginVacation, SetConditionalMoves, VacationStatus};
use quadrex_rules::{AnyPosition, Color, Variant, Verdict};
use quadrex_tests::http::Response;
use serde::Serialize;

use super::super::{Place, Stage, http};
use super::Player;
use crate::auditor::VacationChange;
use crate::chance::Chance;

/// The largest number of conditional lines that a player stores at once. A server accepts 20.
const LINES: u64 = 20;

impl Player {
    /// Stores conditional moves, and begins or ends a vacation, if the player feels like it.
    pub(super) async fn prepare_absence(&self) {
        if self.place.stage() != Stage::Playing || self.is_kicked {
            return;
        }
        if self.place.chance.one_in(2) {
            self.store_conditional_moves().await;
        }
        self.change_vacation().await;
    }

    /// Stores replies to moves of the opponents, or removes all that are stored.
    async fn store_conditional_moves(&self) {
        let Some(mirror) = &self.mirror else { return };
        let ([color], Some(game)) = (&mirror.view().your_seats[..], mirror.referee().game()) else { return };
        let (place, position) = (&self.place, game.position());
        if position.turn() == *color || !position.is_playing(*color) {
            return;
        }
        let removes = place.chance.one_in(6);
        let lines = if removes { Vec::new() } else { lines(position, *color, &place.chance) };
        let (user, match_id, after) = (self.guest.user.id, mirror.match_id(), mirror.seq());
        place.trace.add(&place.name, format_args!("stores {} lines after event {after}", lines.len()));
        let request = place.auditor.conditional_moves_sent(user, match_id, after, &lines);
        let body = SetConditionalMoves { match_id, after, seat: None, lines };
        let path = format!("/api/tables/{}/conditional-moves", self.ticket.table);
        if let Some(answer) = self.request("PUT", &path, &body).await {
            place.auditor.conditional_moves_answered(request, answer.status == 200);
        }
    }

    /// Begins a vacation of a day, or ends it.
    async fn change_vacation(&self) {
        let Some(mirror) = &self.mirror else { return };
        let (place, own) = (&self.place, &mirror.view().your_seats);
        let is_on_vacation = mirror.state().vacations.iter().any(|vacation| own.contains(&vacation.color));
        let path = "/api/me/vacation";
        let user = self.guest.user.id;
        if is_on_vacation && place.chance.one_in(2) {
            place.trace.add(&place.name, "ends the vacation");
            let change = place.auditor.vacation_end_sent(user);
            let Some(answer) = self.request("DELETE", path, &()).await else { return };
            let is_ended = answer.status == 200;
            let ended = if is_ended { VacationChange::Ended } else { VacationChange::Refused };
            place.auditor.vacation_answered(change, ended);
        } else if !is_on_vacation && place.chance.one_in(6) {
            place.trace.add(&place.name, "begins a vacation");
            let change = place.auditor.vacation_begin_sent(user);
            let Some(answer) = self.request("PUT", path, &BeginVacation { days: Some(1) }).await else {
                return;
            };
            let current = answer.json::<VacationStatus>(200).ok().and_then(|status| status.current);
            let began = current.map_or(VacationChange::Refused, VacationChange::Began);
            place.auditor.vacation_answered(change, began);
        }
    }

    /// Sends a request. Returns `None` if it is not known whether it was executed.
    async fn request(&self, method: &str, path: &str, body: &(impl Serialize + Sync)) -> Option<Response> {
        let Place { name, trace, .. } = &self.place;
        match http::send(&self.place, method, path, Some(&self.guest.token), body).await {
            Ok(answer) => {
                trace.add(name, format_args!("is answered {}: {}", answer.status, answer.body));
                Some(answer).filter(|answer| answer.status < 500)
            }
            Err(error) => {
                trace.add(name, format_args!("is not answered: {error:#}"));
                None
            }
        }
    }
}

/// Returns random lines of conditional moves of a color that is not to move.
fn lines(position: &AnyPosition, color: Color, chance: &Chance) -> Vec<ConditionalLine> {
    let mut moves = position.legal_moves();
    let mut lines = Vec::new();
    while !moves.is_empty() && (lines.len() as u64) < LINES - 1 {
        let index = usize::try_from(chance.below(moves.len() as u64)).unwrap_or_default();
        let first = ConditionalStep { color: position.turn(), mv: Some(moves.swap_remove(index)) };
        lines.extend(line(position, color, Some(first), chance));
    }
    if position.variant() != Variant::Classic {
        lines.extend(line(position, color, None, chance));
    }
    lines
}

/// Returns a random line of two moves of a color, or of one if the next ones cannot be foreseen. If no first
/// step is given, any moves of the opponents meet the conditions.
fn line(
    position: &AnyPosition,
    color: Color,
    first: Option<ConditionalStep>,
    chance: &Chance,
) -> Option<ConditionalLine> {
    let players = position.active_players().count();
    let (mut position, mut line) = (position.clone(), ConditionalLine::new());
    let mut own_moves = 0;
    while own_moves < 2 && line.len() < 10 {
        let goes_on = position.active_players().count() == players && position.verdict() == Verdict::Plays;
        if !goes_on || position.is_dead() {
            break;
        }
        let turn = position.turn();
        let step = match first {
            Some(first) if line.is_empty() => first,
            _ if turn == color || players == 2 => {
                ConditionalStep { color: turn, mv: chance.pick(&position.legal_moves()).copied() }
            }
            _ => ConditionalStep { color: turn, mv: None },
        };
        match step.mv {
            Some(mv) => position.play(mv),
            None => position = passed(&position)?,
        }
        line.push(step);
        own_moves += u32::from(turn == color);
    }
    // A line ends with an own move.
    while line.last().is_some_and(|step| step.color != color) {
        line.pop();
    }
    (!line.is_empty()).then_some(line)
}

/// Returns the position in which the next player is to move instead.
fn passed(position: &AnyPosition) -> Option<AnyPosition> {
    let colors = position.variant().colors();
    let place = colors.iter().position(|color| *color == position.turn())?;
    let others = (1..colors.len()).map(|count| colors[(place + count) % colors.len()]);
    let next = others.into_iter().find(|color| position.is_playing(*color))?;
    AnyPosition::new(&position.setup().with_turn(next)).ok()
}
