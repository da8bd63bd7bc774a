//! The match that a rematch starts.

use quadrex_protocol::Event;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::user::UserView;
use quadrex_rules::Timestamp;

use crate::history::{Fact, History};
use crate::state::{Origin, Seat, TableState};

impl TableState {
    /// Returns the match that all have agreed to, with its first events: the same terms, and everybody
    /// one seat further clockwise.
    ///
    /// # Panics
    /// If not all have agreed.
    #[must_use]
    pub fn next_match(&self, at: Timestamp) -> History {
        let open = self.rematch().open().expect("a rematch is open when its last player agrees");
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
}
