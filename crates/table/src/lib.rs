#![doc = include_str!("../README.md")]

mod bot;
mod bot_task;
mod closing;
mod command;
mod conditional_moves;
mod deadline;
mod decide;
mod history;
mod illegal_move;
mod next_match;
mod outage;
mod rejection;
mod replay_error;
mod report;
mod settings;
mod state;
mod stored_reconnect_bank;
mod time;
mod view;

pub use bot::built_in;
pub use bot_task::{Attention, BotTask, BotTaskKind};
pub use closing::CloseAfter;
pub use command::{Action, Invitation, PlayerCommand, TableCommand};
pub use conditional_moves::{ConditionalMoves, LineProblem};
pub use deadline::{Deadline, OpenTurn, Timer};
pub use decide::Vacation;
pub use history::{History, NumberedEvent};
pub use illegal_move::IllegalReason;
pub use outage::Outage;
pub use rejection::Rejection;
pub use replay_error::{CorruptLog, ReplayError};
pub use report::InvalidMoment;
pub use settings::{SettingError, check_player, validate_settings};
pub use state::{ConnectedPlayer, MatchTerms, Seat, Stage, TableIdentity, TableState};
pub use stored_reconnect_bank::StoredReconnectBank;
pub use view::{
    PresenceView, Viewer, changed_seat_holders, frames, hide_names_in_log, hide_seats, hides_names,
    is_outline_of, legal_moves, match_view, notation, real_user, seat_holders, seats_of, shown_summary,
    state_view, status, summary, table_view,
};

#[cfg(test)]
mod tests;
