//! A rate limit on pings, pongs and fragments of messages. The WebSocket library does not report
//! such frames, so this module finds and counts them in the received bytes (RFC 6455, section 5.2).

use governor::Quota;

use crate::config::LimitsConfig;
use crate::limits::{DirectLimiter, direct_limiter};

/// The bit in the first byte of a frame that marks the last frame of a message.
const FINAL_BIT: u8 = 0x80;

/// The bits in the first byte of a frame that contain the opcode. The opcode is the kind of the
/// frame.
const OPCODE_BITS: u8 = 0x0f;

/// The opcode of a further fragment of a message.
const CONTINUATION_OPCODE: u8 = 0;

/// The smallest opcode of a control frame. Pings and pongs are control frames.
const FIRST_CONTROL_OPCODE: u8 = 8;

/// The bit in the second byte of a frame that is set if there is a mask before the payload.
const MASK_BIT: u8 = 0x80;

/// The length of the mask, in bytes.
const MASK_LENGTH: u64 = 4;

/// The error of a client that sends too many pings, pongs or fragments.
#[derive(Debug, thiserror::Error)]
#[error("too many pings, pongs or fragments")]
pub(super) struct Flood;

/// A counter of the frames in the bytes of one connection.
#[derive(Debug)]
pub(super) struct FrameCounter {
    /// The received part of the current frame's header, up to and including the length of the
    /// payload.
    header: [u8; 10],
    /// The number of received bytes in `header`.
    header_length: u8,
    /// The number of bytes to skip until the next frame begins.
    to_skip: u64,
    limiter: DirectLimiter,
}

impl FrameCounter {
    /// Returns a counter. It allows as many pings, pongs and fragments per time as a player may
    /// send frames.
    pub(super) fn new(limits: &LimitsConfig) -> Self {
        let quota = Quota::per_second(limits.player_per_second).allow_burst(limits.player_burst);
        Self { header: [0; 10], header_length: 0, to_skip: 0, limiter: direct_limiter(quota) }
    }

    /// Counts the frames in these bytes.
    ///
    /// # Errors
    /// Returns [`Flood`] if there were too many pings, pongs or fragments.
    pub(super) fn count(&mut self, mut bytes: &[u8]) -> Result<(), Flood> {
        while let Some((&byte, rest)) = bytes.split_first() {
            if self.to_skip > 0 {
                let skipped = usize::try_from(self.to_skip).unwrap_or(usize::MAX).min(bytes.len());
                self.to_skip -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            bytes = rest;
            self.header[usize::from(self.header_length)] = byte;
            self.header_length += 1;
            let Some(length) = payload_length(&self.header[..usize::from(self.header_length)]) else {
                continue;
            };
            let mask = if self.header[1] & MASK_BIT == 0 { 0 } else { MASK_LENGTH };
            self.to_skip = length.saturating_add(mask);
            self.header_length = 0;
            if is_limited(self.header[0]) {
                self.limiter.check().map_err(|_| Flood)?;
            }
        }
        Ok(())
    }
}

/// Returns the length of the payload, or `None` if `header` does not contain the whole length yet.
/// `header` must not have bytes after the length.
fn payload_length(header: &[u8]) -> Option<u64> {
    let (lengths, extended) = header.split_at_checked(2)?;
    match lengths[1] & !MASK_BIT {
        126 => extended.try_into().ok().map(|length| u16::from_be_bytes(length).into()),
        127 => extended.try_into().ok().map(u64::from_be_bytes),
        short => Some(short.into()),
    }
}

/// Returns whether the limit applies to a frame with this first byte. The limit applies to every
/// frame that is not a whole message.
fn is_limited(first_byte: u8) -> bool {
    let opcode = first_byte & OPCODE_BITS;
    opcode >= FIRST_CONTROL_OPCODE || opcode == CONTINUATION_OPCODE || first_byte & FINAL_BIT == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter() -> FrameCounter {
        let config = crate::config::Config::load(None, [], &crate::config::Flags::default()).unwrap();
        FrameCounter::new(&config.limits)
    }

    fn frame(first: u8, length: usize) -> Vec<u8> {
        let mut frame = vec![first];
        match length {
            0..126 => frame.push(MASK_BIT | length as u8),
            126..65_536 => {
                frame.push(MASK_BIT | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            _ => {
                frame.push(MASK_BIT | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        // Mask and payload have the bytes of pings.
        frame.extend(std::iter::repeat_n(0x89, 4 + length));
        frame
    }

    /// Returns the number of frames that pass at once when the bytes arrive in pieces of this size.
    fn passed(frame: &[u8], piece: usize) -> usize {
        let mut counter = counter();
        let mut passes = || frame.chunks(piece).try_for_each(|bytes| counter.count(bytes)).is_ok();
        (0..200).take_while(|_| passes()).count()
    }

    #[test]
    fn only_frames_that_are_not_whole_messages_count() {
        for piece in [1, 3, 1_000_000] {
            for length in [0, 125, 126, 3_000] {
                assert_eq!(passed(&frame(0x81, length), piece), 200, "a text of {length} bytes");
                for first in [0x89, 0x8a, 0x01, 0x00, 0x80, 0x02] {
                    let passed = passed(&frame(first, length), piece);
                    assert!((30..60).contains(&passed), "{passed} of {first:x} with {length} bytes");
                }
            }
        }
        assert_eq!(passed(&frame(0x81, 70_000), 4_096), 200);
    }

    #[test]
    fn a_huge_length_is_handled() {
        let mut counter = counter();
        let mut frame = vec![0x81, MASK_BIT | 127];
        frame.extend(u64::MAX.to_be_bytes());
        counter.count(&frame).unwrap();
        counter.count(&[0x89; 5_000]).unwrap();
    }
}
