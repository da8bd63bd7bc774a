//! The match that a rematch starts.

use quadrex_protocol::Event;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::user::UserView;
use quadrex_rules::Timestamp;

use crate::history::{History, NumberedEvent};
use crate::state::{Seat, TableIdentity, TableState};

impl TableState {
    /// Returns the match to which all players have agreed, with its first events. It has the same
    /// terms, and everybody sits one seat further clockwise.
    ///
    /// # Panics
    /// Panics if not all players have agreed.
    #[must_use]
    pub fn next_match(&self, at: Timestamp) -> History {
        let open = self.rematch().open().expect("a rematch is open when its last player agrees");
        let identity = TableIdentity { match_id: open.next, ..self.identity() };
        let mut terms = self.terms().clone();
        terms.host = self.host().clone();
        terms.kicked = self.seating.kicked().collect();
        let seats = self.seats();
        let sits = |seat: &Seat| Some((seat.holder.clone()?, open.agreed.get(&seat.color)?.clone()));
        let mut holders_with_nonces: Vec<(UserView, Nonce)> =
            seats.iter().map(sits).collect::<Option<_>>().expect("all who sat have agreed");
        holders_with_nonces.rotate_right(1);
        let commitment = identity.lot_key.secret(identity.match_id).commitment();
        let mut events = vec![terms.opened_event_after(commitment, self.match_id())];
        events.extend(seats.iter().zip(&holders_with_nonces).map(|(seat, (user, nonce))| Event::Seated {
            color: seat.color,
            user: user.clone(),
            nonce: nonce.clone(),
        }));
        let state = Self::open(identity, terms, at).expect("the previous match started from the same setup");
        events.push(state.decide_start(&holders_with_nonces));
        let events = (1..).zip(events).map(|(seq, event)| NumberedEvent { seq, at, event }).collect();
        History::replay(identity, events).expect("its events were just decided")
    }
}
