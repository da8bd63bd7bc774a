//! The close frames of the server, each with a code and a reason (RFC 6455, section 7.4.1).

use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

/// The subprotocol's own code for a client that reads too slowly (codes 4000 to 4999 are for
/// applications).
const TOO_SLOW: u16 = 4008;

/// A frame over the larger limit.
pub(super) fn too_large() -> CloseFrame {
    frame(CloseCode::Size, "the frame is too large")
}

/// Too many malformed frames in a row.
pub(super) fn malformed_frames() -> CloseFrame {
    frame(CloseCode::Policy, "too many malformed or unknown frames in a row")
}

/// The server is stopping.
pub(super) fn restart() -> CloseFrame {
    frame(CloseCode::Restart, "the server stops")
}

/// Nothing was received for too long.
pub(super) fn timed_out() -> CloseFrame {
    frame(CloseCode::Away, "nothing was received for too long")
}

/// No `hello` was received in time.
pub(super) fn no_hello() -> CloseFrame {
    frame(CloseCode::Policy, "no hello came in time")
}

/// Too many pings, pongs or fragments.
pub(super) fn too_many_frames() -> CloseFrame {
    frame(CloseCode::Policy, "too many pings, pongs or fragments")
}

/// Text that is not UTF-8.
pub(super) fn not_utf8() -> CloseFrame {
    frame(CloseCode::Invalid, "text must be UTF-8")
}

/// An invalid WebSocket frame.
pub(super) fn invalid_frame() -> CloseFrame {
    frame(CloseCode::Protocol, "not a WebSocket frame")
}

/// More frames wait for the client than the outbox may hold.
pub(super) fn too_slow() -> CloseFrame {
    frame(CloseCode::Library(TOO_SLOW), "you read too slowly; come back with after")
}

fn frame(code: CloseCode, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: reason.into() }
}
