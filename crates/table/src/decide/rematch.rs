//! Decisions about a rematch: another match with the same people. All seated users must agree to
//! it.

use quadrex_protocol::lot::Nonce;
use quadrex_protocol::{Event, MatchId, RequestAction, UserId};
use quadrex_rules::Color;

use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::{OpenRematch, Stage, TableState};

impl TableState {
    /// Decides a request for a rematch, or an answer to such a request. A request or an agreement
    /// counts for all seats that the user holds. If `action` is the request, `next` is the id of
    /// the next match.
    pub(crate) fn decide_rematch(
        &self,
        by: UserId,
        named_seat: Option<Color>,
        action: RequestAction,
        nonce: &Nonce,
        next: MatchId,
    ) -> Result<Vec<Event>, Rejection> {
        let color = self.named_or_first_seat(by, named_seat)?;
        self.check_over()?;
        let rematch = self.rematch();
        let mut held_seats = self.seats_of(by);
        match (action, rematch.open()) {
            (RequestAction::Ask, Some(open)) => Err(Rejection::RematchOpen { by: open.by }),
            (RequestAction::Ask, None) => {
                if let Some(declined) =
                    rematch.declined().iter().find(|declined| !held_seats.contains(declined))
                {
                    return Err(Rejection::RematchDeclined { by: *declined });
                }
                let commitment = self.identity().lot_key.secret(next).commitment();
                let request_event =
                    Event::RematchRequested { color, match_id: next, commitment, nonce: nonce.clone() };
                held_seats.retain(|seat| *seat != color);
                Ok(self.with_agreed(vec![request_event], &[color], held_seats, nonce, next))
            }
            (RequestAction::Accept | RequestAction::Decline, None) => Err(Rejection::NoRematch),
            (RequestAction::Accept, Some(open)) if open.agreed.contains_key(&color) => {
                Err(Rejection::NoRematch)
            }
            (RequestAction::Accept, Some(open)) => {
                let agreed: Vec<Color> = open.agreed.keys().copied().collect();
                Ok(self.with_agreed(Vec::new(), &agreed, held_seats, nonce, open.next))
            }
            (RequestAction::Decline, Some(_)) => Ok(vec![Event::RematchDeclined { color }]),
        }
    }

    /// Appends the agreement of `seats` to the events. If all seats have then agreed, also appends
    /// the event that names the next match. `agreed_before` are the seats that have agreed already.
    fn with_agreed(
        &self,
        mut events: Vec<Event>,
        agreed_before: &[Color],
        seats: Vec<Color>,
        nonce: &Nonce,
        next: MatchId,
    ) -> Vec<Event> {
        let has_agreed = |color| agreed_before.contains(color) || seats.contains(color);
        let have_all_agreed = self.seats().iter().all(|seat| has_agreed(&seat.color));
        let agreed = |color| Event::RematchAgreed { color, nonce: nonce.clone() };
        events.extend(seats.into_iter().map(agreed));
        events.extend(have_all_agreed.then_some(Event::Rematched { match_id: next }));
        events
    }

    /// Decides whether a player may leave after the end of the match. A player who leaves declines
    /// a rematch.
    pub(crate) fn decide_leave_for_good(&self, by: UserId, color: Color) -> Result<Vec<Event>, Rejection> {
        self.check_over()?;
        let held_seats = self.seats_of(by);
        if self.rematch().declined().iter().any(|declined| held_seats.contains(declined)) {
            return Err(Rejection::Ended);
        }
        Ok(vec![Event::RematchDeclined { color }])
    }

    /// Checks that the match was played and is over.
    fn check_over(&self) -> Result<(), Rejection> {
        match self.stage() {
            Stage::Open | Stage::Ended(None) => Err(Rejection::NotStarted),
            Stage::Running(_) => Err(Rejection::NotOver),
            Stage::Ended(Some(_)) => Ok(()),
        }
    }

    /// Checks that an event of a rematch can occur at this point of the log.
    pub(crate) fn check_rematch(&self, event: &Event) -> Result<(), ReplayError> {
        let rematch = self.rematch();
        let is_seat = |color: &Color| self.seats().iter().any(|seat| seat.color == *color);
        let all_agreed =
            |open: &OpenRematch| self.seats().iter().all(|seat| open.agreed.contains_key(&seat.color));
        let fits = self.check_over().is_ok()
            && match event {
                Event::RematchRequested { color, match_id, commitment, .. } => {
                    let expected = self.identity().lot_key.secret(*match_id).commitment();
                    rematch.open().is_none() && is_seat(color) && expected == *commitment
                }
                Event::RematchAgreed { color, .. } => {
                    let open = rematch.open();
                    is_seat(color) && open.is_some_and(|open| !open.agreed.contains_key(color))
                }
                Event::RematchDeclined { color } => is_seat(color),
                Event::Rematched { match_id } => {
                    rematch.open().is_some_and(|open| open.next == *match_id && all_agreed(open))
                }
                _ => false,
            };
        if fits { Ok(()) } else { Err(ReplayError::Rematch) }
    }
}
