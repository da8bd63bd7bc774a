//! A client's subscription to a table.

use std::collections::VecDeque;

use anyhow::{Result, ensure};
use quadrex_protocol::chat::Room;
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::view::{Entry, Phase, PlayerView, Presence};
use quadrex_protocol::{ClientFrame, Event, MatchId, RefusalCode, ServerFrame, TableId, UserId};
use quadrex_tests::Guest;
use quadrex_tests::table_mirror::TableMirror;
use tokio::time::Instant;

use super::Place;
use super::connection::Connection;
use crate::auditor::{Attendance, LeastBanks};
use crate::trace::virtual_now;

/// The right with which a client comes to a table.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    pub(crate) table: TableId,
    /// The secret of an invite or a watch link.
    pub(crate) secret: Option<String>,
}

/// A connection of a client that watches one table.
pub(super) struct Session {
    connection: Connection,
    ticket: Ticket,
    /// The presence of the players as it was received last.
    players: Vec<PlayerView>,
    /// The number of the last event that the server had when the subscription began.
    head: u64,
    /// The messages of bystanders that a seated player has received among the missed events. The match
    /// must be over after all missed events.
    early_messages: Vec<u64>,
    /// The times of the requests to watch that have not been answered.
    asked: VecDeque<Instant>,
    /// The time of the last answer to such a request.
    watches_since: Option<Instant>,
    attendance: Attendance,
    /// The least rest of each reconnect bank that any client had been shown before this connection, or
    /// that this one has been shown.
    least_banks: LeastBanks,
}

impl Session {
    /// Connects, and watches the table from the last event of the mirror on.
    ///
    /// # Errors
    /// If the connection breaks.
    pub(super) async fn open(
        place: &Place,
        guest: &Guest,
        ticket: &Ticket,
        mirror: Option<&TableMirror>,
    ) -> Result<Self> {
        let attendance = place.auditor.attend(guest.user.id, ticket.table, &place.network, &place.name);
        let mut session = Self {
            connection: Connection::open(place, guest).await?,
            ticket: ticket.clone(),
            players: Vec::new(),
            head: 0,
            early_messages: Vec::new(),
            asked: VecDeque::new(),
            watches_since: None,
            attendance,
            least_banks: place.auditor.least_banks(),
        };
        session.watch(mirror.map(|mirror| (mirror.match_id(), mirror.seq()))).await?;
        Ok(session)
    }

    /// Watches the table from the last known event on.
    async fn watch(&mut self, known: Option<(MatchId, u64)>) -> Result<()> {
        let (match_id, after) = known.unzip();
        let Ticket { table, secret } = self.ticket.clone();
        self.asked.push_back(virtual_now());
        self.send(&ClientFrame::Watch { table, match_id, after, secret, preview: false }).await
    }

    pub(super) async fn send(&mut self, frame: &ClientFrame) -> Result<()> {
        self.connection.send(frame).await
    }

    /// Returns the presence of the players as it was received last.
    #[cfg(test)]
    pub(super) fn players(&self) -> &[PlayerView] {
        &self.players
    }

    /// Closes the connection.
    pub(super) async fn close(self) {
        self.connection.close().await;
    }

    /// Waits for the next frame until a moment. Returns `None` at that moment.
    ///
    /// # Errors
    /// If the connection ends or is silent for too long.
    pub(super) async fn next_until(&mut self, moment: Instant) -> Result<Option<ServerFrame>> {
        let frame = self.connection.next_until(moment).await?;
        if let Some(frame) = &frame {
            let is_answer = matches!(frame, ServerFrame::Snapshot { .. } | ServerFrame::Watching { .. });
            self.attendance.received(is_answer);
        }
        Ok(frame)
    }

    /// Applies a frame to the mirror of the table. Everything that is wrong in it is a violation.
    /// Returns true if the mirror has changed.
    ///
    /// # Errors
    /// If the client must read the table again, because it missed something, or the server could not
    /// show it.
    pub(super) async fn apply(
        &mut self,
        mirror: &mut Option<TableMirror>,
        frame: &ServerFrame,
    ) -> Result<bool> {
        let (auditor, name) = (self.connection.place.auditor.clone(), self.connection.place.name.clone());
        let (own_table, me) = (self.ticket.table, self.connection.me);
        let applied = match frame {
            ServerFrame::Presence { table, players, .. } if *table == own_table => {
                self.players.clone_from(players);
                if let Some(mirror) = mirror {
                    auditor.shown_banks(&name, &mut self.least_banks, mirror.match_id(), players);
                }
                return Ok(false);
            }
            ServerFrame::Snapshot { table, match_id, seq, view } if *table == own_table => {
                self.watches(*match_id, *seq);
                for entry in &view.history {
                    auditor.event(&name, *match_id, entry);
                }
                self.players.clone_from(&view.players);
                auditor.shown_banks(&name, &mut self.least_banks, *match_id, &view.players);
                self.early_messages.clear();
                TableMirror::new(*match_id, *seq, (**view).clone()).map(|new| {
                    if let Some(old) = mirror.replace(new.clone())
                        && let Err(error) = new.ensure_continues(&old)
                    {
                        auditor.violation(&name, format_args!("{error:#}"));
                    }
                    let started =
                        view.history.iter().find(|entry| matches!(entry.event, Event::Started { .. }));
                    let has_started = |entry: &&Entry| started.is_some_and(|started| started.seq < entry.seq);
                    if plays(&new)
                        && let Some(entry) = view.history.iter().filter(has_started).find(|it| is_hidden(it))
                    {
                        auditor.violation(&name, format_args!("reads the bystanders' message {}", entry.seq));
                    }
                })
            }
            ServerFrame::Watching { table, match_id, seq } if *table == own_table => match mirror {
                Some(mirror) => {
                    self.watches(*match_id, *seq);
                    self.head = *seq;
                    self.early_messages.clear();
                    mirror.go_on(*match_id, *seq)
                }
                None => Err(anyhow::anyhow!("`watching` without a snapshot")),
            },
            ServerFrame::Event { table, match_id, entry, state, legal_moves, .. } if *table == own_table => {
                auditor.event(&name, *match_id, entry);
                if let Some(since) = self.watches_since {
                    auditor.waits_for_event(&name, *match_id, entry.seq, since);
                }
                match mirror {
                    Some(mirror) if mirror.match_id() == *match_id => {
                        if is_hidden(entry) && plays(mirror) {
                            self.early_messages.push(entry.seq);
                        }
                        if let Event::Vacated { color, reason: VacateReason::Kicked } = &entry.event
                            && mirror.view().your_seats.contains(color)
                        {
                            // The user may have lost the right to watch, and then learns nothing more.
                            self.watches_since = None;
                            self.players.clear();
                        }
                        mirror.take(entry, state, legal_moves.as_ref(), Some(me))
                    }
                    Some(_) | None => Err(anyhow::anyhow!("an event of {match_id}, which is not watched")),
                }
            }
            ServerFrame::Skip { table, match_id, seq } if *table == own_table => match mirror {
                Some(mirror) => mirror.skip(*match_id, *seq),
                None => Err(anyhow::anyhow!("`skip` without a snapshot")),
            },
            ServerFrame::Refused { cmd: None, code, .. } if *code != RefusalCode::RateLimited => {
                self.asked.pop_front();
                let may_work_later = matches!(code, RefusalCode::Internal | RefusalCode::Closing);
                ensure!(!may_work_later, "the table cannot be watched yet");
                return Ok(false);
            }
            _ => return Ok(false),
        };
        if let Err(error) = applied {
            auditor.violation(&name, format_args!("{error:#}"));
            *mirror = None;
            self.watch(None).await?;
        }
        if let Some(mirror) = mirror
            && mirror.seq() >= self.head
            && let Some(seq) = std::mem::take(&mut self.early_messages).first()
            && plays(mirror)
        {
            auditor.violation(&name, format_args!("receives the bystanders' message {seq}"));
        }
        Ok(true)
    }

    /// Records the answer to a request to watch, which shows a match up to an event.
    fn watches(&mut self, match_id: MatchId, seq: u64) {
        let Place { auditor, name, .. } = &self.connection.place;
        if let Some(asked_at) = self.asked.pop_front() {
            auditor.shown(name, match_id, seq, asked_at);
            auditor.waits(name, "the answer to a request to watch", asked_at);
        }
        self.watches_since = Some(virtual_now());
    }

    /// Checks that nothing is late: the answer to a request to watch, and the events after those that
    /// the mirror has.
    pub(super) fn check_delays(&self, mirror: Option<&TableMirror>) {
        let Place { auditor, name, .. } = &self.connection.place;
        if let Some(asked_at) = self.asked.front() {
            auditor.waits(name, "the answer to a request to watch", *asked_at);
        }
        if let Some((since, mirror)) = self.watches_since.zip(mirror) {
            auditor.waits_for_event(name, mirror.match_id(), mirror.seq() + 1, since);
        }
    }

    /// Checks that players who have been away for long are not shown as connected, and that players who
    /// have been there for long are not shown as away.
    pub(super) fn check_presence(&self, mirror: &TableMirror) {
        let Connection { place, me, .. } = &self.connection;
        for player in &self.players {
            let seat = mirror.view().seats.iter().find(|seat| seat.color == player.color);
            let holder: Option<UserId> = seat.and_then(|seat| Some(seat.user.as_ref()?.id));
            let Some(holder) = holder else { continue };
            let (table, match_id) = (self.ticket.table, mirror.match_id());
            if player.presence != Presence::Connected {
                place.auditor.shown_as_away(&place.name, holder, table);
            } else if holder != *me {
                place.auditor.shown_as_connected(&place.name, holder, table, match_id);
            }
        }
    }
}

/// Returns whether the user of this mirror plays in a running match, and is not eliminated.
fn plays(mirror: &TableMirror) -> bool {
    let (view, state) = (mirror.view(), mirror.state());
    state.phase == Phase::Running && view.your_seats.iter().any(|seat| state.active_players.contains(seat))
}

/// Returns whether an entry is a message of bystanders.
fn is_hidden(entry: &Entry) -> bool {
    matches!(entry.event, Event::MessageSent { room: Room::Bystanders, .. })
}
