//! Another match with the same people: asked for, agreed by all who sat, and begun with the seats turned by one.

use std::collections::BTreeMap;

use quadrex_protocol::lot::Nonce;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::RematchView;
use quadrex_protocol::{Event, MatchId, RequestAction, UserId};
use quadrex_rules::{Color, Timestamp};

use super::command::Rejection;
use super::history::{Fact, History, Misfit};
use super::lot::Origin;
use super::seating::Seat;
use super::state::{Stage, TableState};

/// How far those who sat are towards another match.
#[derive(Clone, Debug, Default)]
pub(super) struct Rematch {
    open: Option<Open>,
    /// Who said no; only they may ask again.
    declined: Vec<Color>,
    next: Option<MatchId>,
}

/// An open wish for another match.
#[derive(Clone, Debug)]
struct Open {
    by: Color,
    /// The match it is to be: fixed, with its secret, before anybody else's nonce is known.
    next: MatchId,
    agreed: BTreeMap<Color, Nonce>,
}

impl Rematch {
    /// The match that came after this one.
    pub(super) fn next(&self) -> Option<MatchId> {
        self.next
    }

    /// How it stands, as all see it.
    pub(super) fn view(&self) -> Option<RematchView> {
        let open = self.open.as_ref()?;
        Some(RematchView { by: open.by, agreed: open.agreed.keys().copied().collect() })
    }

    /// Takes in an event of another match's way.
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::RematchRequested { color, match_id, nonce, .. } => {
                self.declined.clear();
                let agreed = BTreeMap::from([(*color, nonce.clone())]);
                self.open = Some(Open { by: *color, next: *match_id, agreed });
            }
            Event::RematchAgreed { color, nonce } => {
                let open = self.open.as_mut().expect("it was open when it was decided");
                open.agreed.insert(*color, nonce.clone());
            }
            Event::RematchDeclined { color } => {
                self.open = None;
                self.declined.push(*color);
            }
            Event::Rematched { match_id } => self.next = Some(*match_id),
            _ => unreachable!("the caller passes events of a rematch"),
        }
    }
}

impl TableState {
    /// Asking for another match, agreeing to it, or not, for all seats one holds. `next` is the match it is to be, if
    /// this asks for one.
    pub(super) fn decide_rematch(
        &self,
        by: UserId,
        named: Option<Color>,
        action: RequestAction,
        nonce: &Nonce,
        next: MatchId,
    ) -> Result<Vec<Event>, Rejection> {
        let color = self.any_seat(by, named)?;
        self.over()?;
        let rematch = self.rematch();
        let mut held = self.seats_of(by);
        match (action, &rematch.open) {
            (RequestAction::Ask, Some(open)) => Err(Rejection::RematchOpen { by: open.by }),
            (RequestAction::Ask, None) => {
                if let Some(declined) = rematch.declined.iter().find(|declined| !held.contains(declined)) {
                    return Err(Rejection::RematchDeclined { by: *declined });
                }
                let commitment = self.origin().lot_key.secret(next).commitment();
                let asked =
                    Event::RematchRequested { color, match_id: next, commitment, nonce: nonce.clone() };
                held.retain(|seat| *seat != color);
                Ok(self.with_agreed(vec![asked], &[color], held, nonce, next))
            }
            (RequestAction::Accept | RequestAction::Decline, None) => Err(Rejection::NoRematch),
            (RequestAction::Accept, Some(open)) if open.agreed.contains_key(&color) => {
                Err(Rejection::NoRematch)
            }
            (RequestAction::Accept, Some(open)) => {
                let agreed: Vec<Color> = open.agreed.keys().copied().collect();
                Ok(self.with_agreed(Vec::new(), &agreed, held, nonce, open.next))
            }
            (RequestAction::Decline, Some(_)) => Ok(vec![Event::RematchDeclined { color }]),
        }
    }

    /// With these events these seats agree too, and if all have by then the next match begins.
    fn with_agreed(
        &self,
        mut events: Vec<Event>,
        before: &[Color],
        seats: Vec<Color>,
        nonce: &Nonce,
        next: MatchId,
    ) -> Vec<Event> {
        let all = self.seats().iter().all(|seat| before.contains(&seat.color) || seats.contains(&seat.color));
        let agreed = |color| Event::RematchAgreed { color, nonce: nonce.clone() };
        events.extend(seats.into_iter().map(agreed));
        events.extend(all.then_some(Event::Rematched { match_id: next }));
        events
    }

    /// Leaving after the end: no rematch with this player.
    pub(super) fn decide_leave_for_good(&self, by: UserId, color: Color) -> Result<Vec<Event>, Rejection> {
        self.over()?;
        let held = self.seats_of(by);
        if self.rematch().declined.iter().any(|declined| held.contains(declined)) {
            return Err(Rejection::Ended);
        }
        Ok(vec![Event::RematchDeclined { color }])
    }

    /// Nothing about another match before this one is over.
    fn over(&self) -> Result<(), Rejection> {
        match self.stage() {
            Stage::Open | Stage::Ended(None) => Err(Rejection::NotStarted),
            Stage::Running(_) => Err(Rejection::NotOver),
            Stage::Ended(Some(_)) => Ok(()),
        }
    }

    /// The match that all have agreed to, with its first events: the same terms, everybody one seat further clockwise.
    ///
    /// # Panics
    /// If not all have agreed.
    #[must_use]
    pub(super) fn next_match(&self, at: Timestamp) -> History {
        let open = self.rematch().open.as_ref().expect("a rematch is open when its last player agrees");
        let origin = Origin { match_id: open.next, ..self.origin() };
        let mut terms = self.terms().clone();
        terms.host = self.host().clone();
        terms.kicked = self.seating.kicked().collect();
        let seats = self.seats();
        let sits = |seat: &Seat| Some((seat.holder.clone()?, open.agreed.get(&seat.color)?.clone()));
        let mut sitting: Vec<(UserView, Nonce)> =
            seats.iter().map(sits).collect::<Option<_>>().expect("all who sat have agreed");
        sitting.rotate_right(1);
        let commitment = origin.lot_key.secret(origin.match_id).commitment();
        let mut events = vec![terms.opened_after(commitment, self.match_id())];
        events.extend(seats.iter().zip(&sitting).map(|(seat, (user, nonce))| Event::Seated {
            color: seat.color,
            user: user.clone(),
            nonce: nonce.clone(),
        }));
        let state = Self::open(origin, terms, at).expect("the match before started from the same set-up");
        events.push(state.decide_start(&sitting));
        let facts = (1..).zip(events).map(|(seq, event)| Fact { seq, at, event }).collect();
        History::replay(origin, facts).expect("its events were just decided")
    }

    /// Whether an event of another match's way can have happened here.
    pub(super) fn misfit_rematch(&self, event: &Event) -> Result<(), Misfit> {
        let rematch = self.rematch();
        let is_seat = |color: &Color| self.seats().iter().any(|seat| seat.color == *color);
        let all_agreed = |open: &Open| self.seats().iter().all(|seat| open.agreed.contains_key(&seat.color));
        let fits = self.over().is_ok()
            && match event {
                Event::RematchRequested { color, match_id, commitment, .. } => {
                    let bound = self.origin().lot_key.secret(*match_id).commitment();
                    rematch.open.is_none() && is_seat(color) && bound == *commitment
                }
                Event::RematchAgreed { color, .. } => {
                    let open = rematch.open.as_ref();
                    is_seat(color) && open.is_some_and(|open| !open.agreed.contains_key(color))
                }
                Event::RematchDeclined { color } => is_seat(color),
                Event::Rematched { match_id } => {
                    rematch.open.as_ref().is_some_and(|open| open.next == *match_id && all_agreed(open))
                }
                _ => false,
            };
        if fits { Ok(()) } else { Err(Misfit::Rematch) }
    }
}
