//! How a line is closed by the server: the code and the reason the client is told (RFC 6455, section 7.4.1).

use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

/// The subprotocol's own code for a reader that is too slow (codes 4000 to 4999 are for applications).
const TOO_SLOW: u16 = 4008;

/// A frame over the larger limit.
pub(super) fn too_large() -> CloseFrame {
    frame(CloseCode::Size, "the frame is too large")
}

/// Too many frames in a row that could not be read.
pub(super) fn rubbish() -> CloseFrame {
    frame(CloseCode::Policy, "too many malformed or unknown frames in a row")
}

/// The server stops.
pub(super) fn restart() -> CloseFrame {
    frame(CloseCode::Restart, "the server stops")
}

/// Nothing was heard for too long.
pub(super) fn silent() -> CloseFrame {
    frame(CloseCode::Away, "nothing was heard for too long")
}

/// No `hello` came in time.
pub(super) fn no_hello() -> CloseFrame {
    frame(CloseCode::Policy, "no hello came in time")
}

/// Too many frames that say nothing: pings, pongs, fragments.
pub(super) fn too_many_frames() -> CloseFrame {
    frame(CloseCode::Policy, "too many pings, pongs or fragments")
}

/// Text that is not UTF-8.
pub(super) fn not_utf8() -> CloseFrame {
    frame(CloseCode::Invalid, "text must be UTF-8")
}

/// A frame that is not a WebSocket's.
pub(super) fn broken() -> CloseFrame {
    frame(CloseCode::Protocol, "not a WebSocket frame")
}

/// More waits for the client than it may leave waiting.
pub(super) fn too_slow() -> CloseFrame {
    frame(CloseCode::Library(TOO_SLOW), "you read too slowly; come back with after")
}

fn frame(code: CloseCode, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: reason.into() }
}
