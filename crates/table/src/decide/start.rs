//! The start of a match. A lot (a draw that everybody can verify, RULES D2) selects the player who
//! begins. At some tables it also assigns the seats.

use quadrex_protocol::Event;
use quadrex_protocol::lot::{LotParts, LotResult, Nonce, draw};
use quadrex_protocol::settings::Seating;
use quadrex_protocol::user::UserView;

use crate::replay_error::ReplayError;
use crate::state::{Stage, TableIdentity, TableState};

impl TableState {
    /// Returns the event that starts the match. `holders_with_nonces` are the users in the seats,
    /// in turn order, with their nonces for the lot.
    ///
    /// If the host gave a start position, the player to move in that position begins. In a
    /// two-player variant White begins (RULES C1). In all other cases the lot decides.
    pub(crate) fn decide_start(&self, holders_with_nonces: &[(UserView, Nonce)]) -> Event {
        let TableIdentity { match_id, lot_key, .. } = self.identity();
        let seats = self.seats();
        let parts = LotParts {
            seats: self.terms().settings.seating == Seating::Drawn,
            first_player: !self.terms().has_setup() && seats.len() > 2,
        };
        let secret = lot_key.secret(match_id);
        let nonces: Vec<Nonce> = holders_with_nonces.iter().map(|(_, nonce)| nonce.clone()).collect();
        let LotResult { seats: from, first_player } = draw(&secret, match_id, &nonces, parts);
        let drawn =
            seats.iter().zip(&from).map(|(seat, from)| (seat.color, holders_with_nonces[*from].0.clone()));
        Event::Started {
            first_player: first_player.map_or(self.start().turn(), |index| seats[index].color),
            secret,
            seats: if parts.seats { drawn.collect() } else { Default::default() },
        }
    }

    /// Checks that the match can start at this point of the log. All seats must be taken, and the
    /// lot must give the result that the event has.
    pub(crate) fn check_started(&self, event: &Event) -> Result<(), ReplayError> {
        let holders_with_nonces =
            self.seating.holders_with_nonces().filter(|_| matches!(self.stage(), Stage::Open));
        let holders_with_nonces = holders_with_nonces.ok_or(ReplayError::NotReady)?;
        if self.decide_start(&holders_with_nonces) == *event { Ok(()) } else { Err(ReplayError::Lot) }
    }
}
