//! Time controls and clock times in written games.

use alloc::format;
use alloc::string::String;
use core::time::Duration;

use crate::game::TimeControl;

/// Returns the value of the tag `TimeControl`: `300+5` (seconds and increment), `300d5` (seconds
/// and delay), `1/86400` (a move in this many seconds), `-` (no clocks). Fractions of a second
/// follow a point.
#[must_use]
pub fn time_control_text(time: TimeControl) -> String {
    match time {
        TimeControl::None => String::from("-"),
        TimeControl::Fischer { base, increment } => format!("{}+{}", seconds(base), seconds(increment)),
        TimeControl::Delay { base, delay } => format!("{}d{}", seconds(base), seconds(delay)),
        TimeControl::Correspondence { per_turn } => format!("1/{}", seconds(per_turn)),
    }
}

/// Parses the output of [`time_control_text`], or a number of seconds without an increment. Returns
/// `None` for the other time controls of PGN.
#[must_use]
pub fn parse_time_control(text: &str) -> Option<TimeControl> {
    if text == "-" {
        return Some(TimeControl::None);
    }
    if let Some((base, delay)) = text.split_once('d') {
        return Some(TimeControl::Delay { base: parse_seconds(base)?, delay: parse_seconds(delay)? });
    }
    if let Some(per_turn) = text.strip_prefix("1/") {
        return Some(TimeControl::Correspondence { per_turn: parse_seconds(per_turn)? });
    }
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some(TimeControl::Fischer { base: parse_seconds(base)?, increment: parse_seconds(increment)? })
}

/// Returns the comment with the time left after a move, in milliseconds: `[%clk 0:04:31]`, `[%clk
/// 0:04:31.250]`.
#[must_use]
pub fn clock_comment(left_ms: u64) -> String {
    let whole_seconds = left_ms / 1000;
    let (hours, minutes) = (whole_seconds / 3600, whole_seconds / 60 % 60);
    format!("[%clk {hours}:{minutes:02}:{}]", two_digits(Duration::from_millis(left_ms % 60_000)))
}

/// Returns the time in milliseconds of the `[%clk ...]` in a comment, if there is one.
#[must_use]
pub fn clock_of(comment: &str) -> Option<u64> {
    let (_, rest) = comment.split_once("[%clk ")?;
    let (time, _) = rest.split_once(']')?;
    let mut parts = time.trim().split(':');
    let hours: u64 = parts.next()?.parse().ok()?;
    let minutes: u64 = parts.next()?.parse().ok()?;
    let seconds = parse_seconds(parts.next()?)?;
    let whole_minutes_ms = hours.checked_mul(60)?.checked_add(minutes)?.checked_mul(60_000)?;
    if parts.next().is_some() {
        return None;
    }
    whole_minutes_ms.checked_add(u64::try_from(seconds.as_millis()).ok()?)
}

fn seconds(time: Duration) -> String {
    match time.subsec_millis() {
        0 => format!("{}", time.as_secs()),
        millis => format!("{}.{millis:03}", time.as_secs()),
    }
}

fn two_digits(time: Duration) -> String {
    let text = seconds(time);
    if time.as_secs() < 10 { format!("0{text}") } else { text }
}

/// Parses seconds with up to three digits after a point.
fn parse_seconds(text: &str) -> Option<Duration> {
    let (whole, parts) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(parts) || parts.len() > 3 {
        return None;
    }
    let millis: u64 = format!("{parts:0<3}").parse().ok()?;
    Some(Duration::from_millis(whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(millis)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_times_read_back() {
        for left_ms in [0, 250, 59_999, 271_000, 3_600_000, 40_000_001] {
            assert_eq!(clock_of(&clock_comment(left_ms)), Some(left_ms), "{}", clock_comment(left_ms));
        }
        assert_eq!(clock_comment(271_000), "[%clk 0:04:31]");
        assert_eq!(clock_comment(4_250), "[%clk 0:00:04.250]");
        assert_eq!(clock_of("[%eval 0.3] [%clk 0:00:07.5]"), Some(7_500));
        for wrong in ["", "[%clk 5]", "[%clk 0:00:07", "[%clk a:00:07]", "[%clk 0:00:1:2]", "[%clk 0:0:+1]"] {
            assert_eq!(clock_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn time_controls_read_back() {
        for text in ["-", "300+5", "300+0", "0.500+0.100", "600d10"] {
            assert_eq!(time_control_text(parse_time_control(text).unwrap()), text);
        }
        assert_eq!(parse_time_control("60"), parse_time_control("60+0"));
        for wrong in ["", "?", "40/7200", "300+", "+5", "300x5", "1e3", "-5+1", "1.0000+0"] {
            assert_eq!(parse_time_control(wrong), None, "{wrong}");
        }
    }
}
