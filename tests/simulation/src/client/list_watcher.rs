//! A client that watches the lists of the lobby and of the user's own tables.

use std::time::Duration;

use anyhow::Result;
use quadrex_protocol::{ClientFrame, ServerFrame};
use quadrex_tests::Guest;

use super::connection::Connection;
use super::{Place, Stage};
use crate::auditor::ListMirror;
use crate::trace::virtual_now;

/// The longest time for which a client stays on one connection.
const LONGEST_STAY: Duration = Duration::from_mins(10);

/// A client that keeps copies of the lists.
pub(crate) struct ListWatcher {
    place: Place,
    guest: Guest,
}

impl ListWatcher {
    pub(crate) fn new(place: Place, guest: Guest) -> Self {
        Self { place, guest }
    }

    /// Watches until the simulation is over.
    pub(crate) async fn live(self) {
        while self.place.stage() != Stage::Over {
            if let Err(error) = self.stay().await {
                self.place.trace.add(&self.place.name, format_args!("{error:#}"));
            }
            self.place.auditor.set_lists(&self.place.name, self.guest.user.id, None);
            self.place.pause().await;
        }
    }

    async fn stay(&self) -> Result<()> {
        let Self { place, guest } = self;
        let mut connection = Connection::open(place, guest).await?;
        place.trace.add(&place.name, "watches the lists");
        connection.send(&ClientFrame::WatchLobby {}).await?;
        connection.send(&ClientFrame::WatchOwnTables {}).await?;
        let leaves = virtual_now() + place.chance.time(Duration::from_secs(20), LONGEST_STAY);
        let mut lists = ListMirror::default();
        // In the last stages the client stays, so that its lists can be compared.
        while place.stage() == Stage::Finishing || virtual_now() < leaves {
            if place.stage() == Stage::Over {
                break;
            }
            let wake = virtual_now() + Duration::from_secs(5);
            let Some(frame) = connection.next_until(wake).await? else { continue };
            if let Err(error) = lists.apply(&frame) {
                place.auditor.violation(&place.name, format_args!("{error:#}"));
            }
            if let ServerFrame::Lobby { .. } | ServerFrame::OwnTables { .. } = frame {
                place.trace.add(&place.name, "receives a list");
            }
            place.auditor.set_lists(&place.name, guest.user.id, Some(lists.clone()));
        }
        connection.close().await;
        Ok(())
    }
}
