//! The close frames that the server sends, each with a code and a reason (RFC 6455, section 7.4.1).

use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

/// The close code for a client that reads too slowly. Applications may define the codes 4000 to
/// 4999.
const TOO_SLOW_CODE: u16 = 4008;

/// The close code of a connection whose session has ended.
const SESSION_ENDED_CODE: u16 = 4001;

/// The close code of a connection whose user was suspended, or is not suspended any more.
const RIGHTS_CHANGED_CODE: u16 = 4002;

/// Returns the close frame for a connection whose session has ended.
pub(super) fn session_ended() -> CloseFrame {
    frame(CloseCode::Library(SESSION_ENDED_CODE), "this session has ended")
}

/// Returns the close frame for a connection whose user has other rights now. The client connects
/// again.
pub(super) fn rights_changed() -> CloseFrame {
    frame(CloseCode::Library(RIGHTS_CHANGED_CODE), "your rights have changed; connect again")
}

/// Returns the close frame for a client's frame that is so large that the connection is closed
/// instead of a refusal being sent.
pub(super) fn too_large() -> CloseFrame {
    frame(CloseCode::Size, "the frame is too large")
}

/// Returns the close frame for too many malformed frames in a row.
pub(super) fn malformed_frames() -> CloseFrame {
    frame(CloseCode::Policy, "too many malformed or unknown frames in a row")
}

/// Returns the close frame of a server that stops.
pub(super) fn restart() -> CloseFrame {
    frame(CloseCode::Restart, "the server stops")
}

/// Returns the close frame for a client from which nothing was received for too long.
pub(super) fn timed_out() -> CloseFrame {
    frame(CloseCode::Away, "nothing was received for too long")
}

/// Returns the close frame for a client that has not sent `hello` in time.
pub(super) fn no_hello() -> CloseFrame {
    frame(CloseCode::Policy, "no hello came in time")
}

/// Returns the close frame for too many pings, pongs or fragments.
pub(super) fn too_many_frames() -> CloseFrame {
    frame(CloseCode::Policy, "too many pings, pongs or fragments")
}

/// Returns the close frame for text that is not UTF-8.
pub(super) fn not_utf8() -> CloseFrame {
    frame(CloseCode::Invalid, "text must be UTF-8")
}

/// Returns the close frame for an invalid WebSocket frame.
pub(super) fn invalid_frame() -> CloseFrame {
    frame(CloseCode::Protocol, "not a WebSocket frame")
}

/// Returns the close frame for a client that reads so slowly that its outbox is full.
pub(super) fn too_slow() -> CloseFrame {
    frame(CloseCode::Library(TOO_SLOW_CODE), "you read too slowly; come back with after")
}

/// Returns the reason for a close frame with this code as the value of a label.
pub(super) fn label(code: CloseCode) -> &'static str {
    match code {
        CloseCode::Library(TOO_SLOW_CODE) => "too_slow",
        CloseCode::Library(SESSION_ENDED_CODE) => "session_ended",
        CloseCode::Library(RIGHTS_CHANGED_CODE) => "rights_changed",
        CloseCode::Restart => "server_stop",
        CloseCode::Away => "timed_out",
        CloseCode::Size => "too_large",
        CloseCode::Policy => "policy",
        _ => "malformed",
    }
}

fn frame(code: CloseCode, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: reason.into() }
}
