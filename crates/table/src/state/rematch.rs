//! Requests for another match with the same people.

use std::collections::BTreeMap;

use quadrex_protocol::MatchId;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::view::RematchView;
use quadrex_rules::Color;

/// The requests for another match at the same table, and the answers to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rematch {
    open: Option<OpenRematch>,
    declined: Vec<Color>,
    next: Option<MatchId>,
}

/// An open request for another match.
#[derive(Clone, Debug)]
pub(crate) struct OpenRematch {
    /// The color that made the request.
    pub(crate) by: Color,
    /// The id of the next match. The server's secret for the lot (the verifiable draw) follows from
    /// this id. The id is chosen before the other players give their nonces, so the server cannot
    /// choose the result.
    pub(crate) next: MatchId,
    /// The colors that have agreed, with their nonces for the lot.
    pub(crate) agreed: BTreeMap<Color, Nonce>,
}

impl Rematch {
    /// Returns the open request.
    pub(crate) fn open(&self) -> Option<&OpenRematch> {
        self.open.as_ref()
    }

    /// Returns the colors that have declined a rematch. Only their players may request a rematch
    /// now.
    pub(crate) fn declined(&self) -> &[Color] {
        &self.declined
    }

    /// Returns the id of the next match, once all players have agreed.
    pub(crate) fn next(&self) -> Option<MatchId> {
        self.next
    }

    /// Returns the open request in its form on the wire.
    pub(crate) fn view(&self) -> Option<RematchView> {
        let open = self.open.as_ref()?;
        Some(RematchView { by: open.by, agreed: open.agreed.keys().copied().collect() })
    }

    /// Applies a request.
    pub(crate) fn ask(&mut self, by: Color, next: MatchId, nonce: &Nonce) {
        self.declined.clear();
        self.open = Some(OpenRematch { by, next, agreed: BTreeMap::from([(by, nonce.clone())]) });
    }

    /// Applies an agreement to the open request.
    ///
    /// # Panics
    /// Panics if no request is open.
    pub(crate) fn agree(&mut self, color: Color, nonce: &Nonce) {
        let open = self.open.as_mut().expect("it was open when it was decided");
        open.agreed.insert(color, nonce.clone());
    }

    /// Applies the answer of a player who declines.
    pub(crate) fn decline(&mut self, color: Color) {
        self.open = None;
        self.declined.push(color);
    }

    /// Records the id of the next match.
    pub(crate) fn begin(&mut self, next: MatchId) {
        self.next = Some(next);
    }
}
