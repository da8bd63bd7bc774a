//! A client that watches a table without a seat.

use std::time::Duration;

use anyhow::Result;
use quadrex_tests::Guest;
use quadrex_tests::table_mirror::TableMirror;

use super::session::{Session, Ticket};
use super::{Place, Stage};
use crate::trace::virtual_now;

/// The longest time for which a watcher stays.
const LONGEST_STAY: Duration = Duration::from_mins(8);

/// A client that watches a table, leaves, and comes back.
pub(crate) struct Watcher {
    place: Place,
    ticket: Ticket,
    mirror: Option<TableMirror>,
}

impl Watcher {
    pub(crate) fn new(place: Place, ticket: Ticket) -> Self {
        Self { place, ticket, mirror: None }
    }

    /// Watches until the simulation is over.
    pub(crate) async fn live(mut self) {
        let Some(guest) = self.place.guest().await else { return };
        self.place.auditor.add_member(self.ticket.table, guest.user.id);
        while self.place.stage() != Stage::Over {
            if let Err(error) = self.stay(&guest).await {
                self.place.trace.add(&self.place.name, format_args!("{error:#}"));
            }
            if self.place.chance.one_in(3) {
                self.mirror = None;
            }
            self.place.pause().await;
        }
    }

    async fn stay(&mut self, guest: &Guest) -> Result<()> {
        let mut session = Session::open(&self.place, guest, &self.ticket, self.mirror.as_ref()).await?;
        self.place.trace.add(&self.place.name, "watches");
        let leaves = virtual_now() + self.place.chance.time(Duration::from_secs(1), LONGEST_STAY);
        while let Some(frame) = session.next_until(leaves).await? {
            session.apply(&mut self.mirror, &frame).await?;
        }
        session.check_delays(self.mirror.as_ref());
        session.close().await;
        Ok(())
    }
}
