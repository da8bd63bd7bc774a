//! Commands of users, and their answers.

use quadrex_protocol::{CommandId, MatchId, RefusalCode, TableId};
use quadrex_table::PlayerCommand;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::node::SecretHashBytes;

/// A user's command, for the owner of a table. A repeated command has the same `command_id`, by
/// which the log recognises it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// The table.
    pub table: TableId,
    /// The command with its author.
    pub command: PlayerCommand,
    /// The id that the client has chosen.
    pub command_id: CommandId,
    /// The match for which the client meant the command, if the client named a match.
    #[serde(default)]
    pub match_id: Option<MatchId>,
    /// The hash of the secret of the invite that the command uses up, if it uses up an invite.
    #[serde(default)]
    pub redeemed_invite: Option<SecretHashBytes>,
    /// The origin of a request for a seat.
    #[serde(default)]
    pub origin: SeatOrigin,
    /// The measured round-trip time of the author's connection, in milliseconds.
    pub round_trip_ms: u64,
    /// The version of the sender's presence. From this version on, the presence names the author.
    pub presence_version: u64,
}

/// The origin of a request for a seat, for the rules of fair play.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatOrigin {
    /// The network of the client, as text, if it says anything about the user.
    #[serde(default)]
    pub network: Option<String>,
    /// True if a quick join has chosen the table.
    #[serde(default)]
    pub is_quick_join: bool,
}

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandAnswer {
    /// The table.
    pub table: TableId,
    /// The outcome.
    pub outcome: CommandOutcome,
}

/// The outcome of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandOutcome {
    /// The command was committed, now or earlier. It is durable.
    Done {
        /// The match whose log has the command's events.
        match_id: MatchId,
        /// The number of the command's last event.
        seq: u64,
    },
    /// The command was refused. Nothing changed.
    Refused {
        /// The table's current match.
        match_id: MatchId,
        /// The code of the refusal, for programs.
        code: RefusalCode,
        /// The reason, for people.
        text: String,
    },
    /// The invite of the command has been used up by another command or has expired. Nothing
    /// changed.
    InviteUsed,
    /// The owner failed, and has logged the fault under this id. The same command may be sent
    /// again.
    Fault {
        /// The id of the fault.
        id: Uuid,
    },
}
