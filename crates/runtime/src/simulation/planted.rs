//! Faults that a simulation plants in servers on purpose, to see that its auditor finds them.

use std::cell::Cell;

thread_local! {
    /// The fault in all servers of this thread's simulation.
    static PLANTED: Cell<Option<PlantedFault>> = const { Cell::new(None) };
}

/// Defines the faults with their names.
macro_rules! faults {
    ($($(#[$doc:meta])+ $fault:ident = $name:literal,)+) => {
        /// A fault that can be planted. Each is of a kind that was made once, or is feared.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum PlantedFault {
            $($(#[$doc])+ $fault,)+
        }

        impl PlantedFault {
            /// All faults.
            pub const ALL: &[Self] = &[$(Self::$fault,)+];

            /// Returns the name, in lower case with dashes.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$fault => $name,)+
                }
            }
        }
    };
}

faults! {
    /// Clients receive the events of a command before they are committed.
    BroadcastBeforeCommit = "broadcast-before-commit",
    /// A command is acknowledged although its commit has failed.
    AckWithoutCommit = "ack-without-commit",
    /// A command that is sent again is executed again.
    ForgottenCommandId = "forgotten-command-id",
    /// Seated players receive the messages of bystanders while their match runs.
    LeakedBystandersChat = "leaked-bystanders-chat",
    /// The lobby lists private tables.
    PrivateTableListed = "private-table-listed",
    /// Users without a link may watch private tables.
    WatchWithoutLink = "watch-without-link",
    /// The subscriptions of a user who is kicked stay.
    KickedUserWatchesOn = "kicked-user-watches-on",
    /// A user who is kicked only loses the seat, and may sit down again.
    KickedUserSitsAgain = "kicked-user-sits-again",
    /// A host who leaves stays the host.
    HostNotPassedOn = "host-not-passed-on",
    /// A match is not archived if the first attempt fails.
    ResultNeverArchived = "result-never-archived",
    /// A match that is archived twice changes the ratings twice.
    RatingAppliedTwice = "rating-applied-twice",
    /// Watchers of the lobby do not learn that a listed table has changed.
    LostLobbyUpdate = "lost-lobby-update",
    /// A table that ends stays in the lists of its users' own tables.
    OwnTableNotRemoved = "own-table-not-removed",
    /// A table that is over when a server first lists it stays in the lists of its users' own tables.
    EndedTableKept = "ended-table-kept",
    /// A player who leaves is shown as connected.
    StalePresence = "stale-presence",
    /// A player who comes back is shown as away.
    ReturnNotShown = "return-not-shown",
    /// Changes of presence are published half a minute late.
    LatePresence = "late-presence",
    /// A table that changes while a publication of the lobby is due does not wake the lobby.
    LostLobbyWakeUp = "lost-lobby-wake-up",
    /// A proxy publishes the events of the owner twice.
    ProxyPublishesTwice = "proxy-publishes-twice",
    /// The acknowledgement of a command with several events names the event before the last one.
    WrongSeqInAck = "wrong-seq-in-ack",
    /// Some events are published twice.
    EventPublishedTwice = "event-published-twice",
    /// A client that comes back does not receive the events that it has missed.
    MissedEventsNotSent = "missed-events-not-sent",
    /// Frames are lost if a socket does not accept them at once.
    QueuedFramesLost = "queued-frames-lost",
    /// Players are charged for the time in which the server did not run.
    ChargedForOutage = "charged-for-outage",
    /// Players are charged for the time in which the database did not answer or the server was stopped.
    ChargedForStall = "charged-for-stall",
    /// The server does not record that it is alive, so a restart refunds too much time.
    ForgottenHeartbeat = "forgotten-heartbeat",
    /// A statement without an answer is waited for without a limit.
    UnlimitedWait = "unlimited-wait",
    /// The session of a node waits for the answer to a statement that was given up.
    StatementNotGivenUp = "statement-not-given-up",
    /// A server that claims a match forgets how long the player to move has been away in this turn.
    ForgottenReconnectBank = "forgotten-reconnect-bank",
    /// A server that starts gives back the time since the last event, although a server has run since.
    RefundOnRestart = "refund-on-restart",
    /// A second request for a match that is taken over forgets since when the match had no owner.
    ForgottenTakeOver = "forgotten-take-over",
    /// A next match that cannot be read when the store has it is never read again.
    RematchNotReadAgain = "rematch-not-read-again",
    /// After a stall, players are shown reconnect banks that it has charged.
    BankShownWithStall = "bank-shown-with-stall",
    /// The next match at a table is added twice.
    DoubleRematch = "double-rematch",
    /// Some deadlines of matches have no timer.
    LostDeadline = "lost-deadline",
    /// Matches that hibernate are not woken before their deadlines.
    MatchNotWoken = "match-not-woken",
    /// A proxy keeps showing a snapshot to spectators after later events.
    ProxyKeepsSnapshot = "proxy-keeps-snapshot",
    /// A node whose session in the database has ended is marked as dead at once.
    LivingNodeMarkedDead = "living-node-marked-dead",
    /// A server sends frames although its lease has expired.
    StaleOwnerAnswers = "stale-owner-answers",
    /// A node that leaves removes its row, but releases no matches.
    MatchesNotReleased = "matches-not-released",
    /// Some conditional moves are made only after the next event.
    ConditionalMoveForgotten = "conditional-move-forgotten",
    /// Conditional moves that their player removes are made nevertheless.
    ConditionalMovesNotRemoved = "conditional-moves-not-removed",
    /// Matches do not receive the vacations of their players.
    VacationNotReceived = "vacation-not-received",
}

/// Plants a fault in all servers of this thread's simulation, or removes it.
pub fn plant(fault: Option<PlantedFault>) {
    PLANTED.set(fault);
}

/// Returns whether a fault is planted.
#[must_use]
pub fn is_planted(fault: PlantedFault) -> bool {
    PLANTED.get() == Some(fault)
}
