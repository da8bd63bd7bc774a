//! Who begins, and at a table with drawn seats who sits where: drawn so that everybody can check it (RULES D2).

use quadrex_clock::Entropy;
use quadrex_protocol::lot::{Drawing, Drawn, Nonce, draw};
use quadrex_protocol::settings::Seating;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, MatchId, TableId, hex};

use super::history::Misfit;
use super::state::{Stage, TableState};
use quadrex_store::LotKey;

/// Which match, at which table, and what its lot is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The table.
    pub table: TableId,
    /// The match.
    pub match_id: MatchId,
    /// The table's own key.
    pub lot_key: LotKey,
}

/// A nonce for somebody who brought none.
#[must_use]
pub fn make_nonce(entropy: &Entropy) -> Nonce {
    hex::encode(&entropy.bytes::<16>()).parse().expect("32 hexadecimal digits are a nonce")
}

impl TableState {
    /// The start of the match with these people in the seats, in turn order. The set-up's turn begins if one was given,
    /// and White in a two-player variant (RULES C1); else the lot says who.
    pub(super) fn decide_start(&self, sitting: &[(UserView, Nonce)]) -> Event {
        let Origin { match_id, lot_key, .. } = self.origin();
        let seats = self.seats();
        let drawing = Drawing {
            seats: self.terms().settings.seating == Seating::Drawn,
            beginner: !self.terms().has_setup() && seats.len() > 2,
        };
        let secret = lot_key.secret(match_id);
        let nonces: Vec<Nonce> = sitting.iter().map(|(_, nonce)| nonce.clone()).collect();
        let Drawn { seats: from, beginner } = draw(&secret, match_id, &nonces, drawing);
        let drawn = seats.iter().zip(&from).map(|(seat, from)| (seat.color, sitting[*from].0.clone()));
        Event::Started {
            first_player: beginner.map_or(self.start().turn(), |index| seats[index].color),
            secret,
            seats: if drawing.seats { drawn.collect() } else { Default::default() },
        }
    }

    /// Whether the match can have started here: with all seats held, and as the lot says.
    pub(super) fn misfit_started(&self, event: &Event) -> Result<(), Misfit> {
        let sitting = self.seating.sitting().filter(|_| matches!(self.stage(), Stage::Open));
        let sitting = sitting.ok_or(Misfit::NotReady)?;
        if self.decide_start(&sitting) == *event { Ok(()) } else { Err(Misfit::Lot) }
    }
}
