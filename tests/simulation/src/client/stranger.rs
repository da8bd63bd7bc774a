//! A user who tries to get into a private table without a link.

use std::time::Duration;

use anyhow::Result;
use quadrex_protocol::{ClientFrame, CommandId, TableId};
use quadrex_tests::Guest;

use super::connection::Connection;
use super::{Place, Stage};
use crate::trace::virtual_now;

/// The longest time for which a stranger waits for frames.
const LONGEST_STAY: Duration = Duration::from_secs(40);

/// A client that has no right to see a table.
pub(crate) struct Stranger {
    place: Place,
    table: TableId,
}

impl Stranger {
    pub(crate) fn new(place: Place, table: TableId) -> Self {
        Self { place, table }
    }

    /// Tries again and again until the simulation is over.
    pub(crate) async fn live(self) {
        let Some(guest) = self.place.guest().await else { return };
        let mut attempt = 0;
        while self.place.stage() != Stage::Over {
            attempt += 1;
            if let Err(error) = self.intrude(&guest, attempt).await {
                self.place.trace.add(&self.place.name, format_args!("{error:#}"));
            }
            tokio::time::sleep(self.place.chance.time(Duration::from_secs(1), Duration::from_mins(4))).await;
        }
    }

    async fn intrude(&self, guest: &Guest, attempt: u64) -> Result<()> {
        let (table, chance) = (self.table, &self.place.chance);
        let mut connection = Connection::open(&self.place, guest).await?;
        self.place.trace.add(&self.place.name, "tries to watch");
        let secret = chance.one_in(2).then(|| format!("{:032x}", chance.number()));
        connection
            .send(&ClientFrame::Watch {
                table,
                match_id: None,
                after: None,
                secret,
                preview: chance.one_in(3),
            })
            .await?;
        if chance.one_in(3) {
            let cmd: CommandId = format!("s{attempt}").parse().expect("a letter and a number are a valid id");
            let sit = ClientFrame::Sit { table, cmd, match_id: None, seat: None, invite: None, nonce: None };
            self.place.auditor.sent(guest.user.id, &sit);
            connection.send(&sit).await?;
        }
        let leaves = virtual_now() + chance.time(Duration::from_secs(1), LONGEST_STAY);
        // The auditor checks each frame that arrives.
        while connection.next_until(leaves).await?.is_some() {}
        connection.close().await;
        Ok(())
    }
}
