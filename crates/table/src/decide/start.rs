//! The start of a match. The beginner, and at a table with drawn seats the seats too, are drawn so that
//! everybody can verify the draw (RULES D2).

use quadrex_protocol::Event;
use quadrex_protocol::lot::{LotParts, LotResult, Nonce, draw};
use quadrex_protocol::settings::Seating;
use quadrex_protocol::user::UserView;

use crate::replay_error::ReplayError;
use crate::state::{Origin, Stage, TableState};

impl TableState {
    /// Returns the start of the match with these users in the seats, in turn order. The turn of a given
    /// setup begins, and White in a two-player variant (RULES C1); otherwise the lot decides.
    pub(crate) fn decide_start(&self, sitting: &[(UserView, Nonce)]) -> Event {
        let Origin { match_id, lot_key, .. } = self.origin();
        let seats = self.seats();
        let parts = LotParts {
            seats: self.terms().settings.seating == Seating::Drawn,
            first_player: !self.terms().has_setup() && seats.len() > 2,
        };
        let secret = lot_key.secret(match_id);
        let nonces: Vec<Nonce> = sitting.iter().map(|(_, nonce)| nonce.clone()).collect();
        let LotResult { seats: from, first_player } = draw(&secret, match_id, &nonces, parts);
        let drawn = seats.iter().zip(&from).map(|(seat, from)| (seat.color, sitting[*from].0.clone()));
        Event::Started {
            first_player: first_player.map_or(self.start().turn(), |index| seats[index].color),
            secret,
            seats: if parts.seats { drawn.collect() } else { Default::default() },
        }
    }

    /// Checks that the match can start here: all seats are held, and the lot gives the same.
    pub(crate) fn check_started(&self, event: &Event) -> Result<(), ReplayError> {
        let sitting = self.seating.sitting().filter(|_| matches!(self.stage(), Stage::Open));
        let sitting = sitting.ok_or(ReplayError::NotReady)?;
        if self.decide_start(&sitting) == *event { Ok(()) } else { Err(ReplayError::Lot) }
    }
}
