//! Frames of a WebSocket that say nothing: pings, pongs and fragments. The protocol's own machinery takes them without
//! a word, so they are counted where their bytes come in (RFC 6455, section 5.2).

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use crate::config::LimitsConfig;

/// Bit of the first byte of a frame: the message ends with it.
const FINAL: u8 = 0x80;

/// The part of the first byte that says what kind of frame it is; of control frames it is `CONTROL` or more.
const OPCODE: u8 = 0x0f;
const CONTINUATION: u8 = 0;
const CONTROL: u8 = 8;

/// Bit of the second byte of a frame: a mask of so many bytes comes before the payload.
const MASKED: u8 = 0x80;
const MASK_BYTES: u64 = 4;

/// Too many frames that say nothing.
#[derive(Debug, thiserror::Error)]
#[error("too many pings, pongs or fragments")]
pub(super) struct Flood;

/// Follows the bytes of one connection from frame to frame.
#[derive(Debug)]
pub(super) struct FrameCounter {
    /// The beginning of a frame up to its length, as far as it has come.
    head: [u8; 10],
    /// Bytes of that.
    have: u8,
    /// Bytes until the next frame.
    skip: u64,
    limiter: DefaultDirectRateLimiter,
}

impl FrameCounter {
    /// Such frames may come as fast as the frames of a player.
    pub(super) fn new(limits: &LimitsConfig) -> Self {
        let quota = Quota::per_second(limits.player_per_second).allow_burst(limits.player_burst);
        Self { head: [0; 10], have: 0, skip: 0, limiter: RateLimiter::direct(quota) }
    }

    /// Follows these bytes.
    ///
    /// # Errors
    /// [`Flood`] if there were too many such frames.
    pub(super) fn follow(&mut self, mut bytes: &[u8]) -> Result<(), Flood> {
        while let Some((&byte, rest)) = bytes.split_first() {
            if self.skip > 0 {
                let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(bytes.len());
                self.skip -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            bytes = rest;
            self.head[usize::from(self.have)] = byte;
            self.have += 1;
            let Some(length) = payload_length(&self.head[..usize::from(self.have)]) else { continue };
            let mask = if self.head[1] & MASKED == 0 { 0 } else { MASK_BYTES };
            self.skip = length.saturating_add(mask);
            self.have = 0;
            if says_nothing(self.head[0]) {
                self.limiter.check().map_err(|_| Flood)?;
            }
        }
        Ok(())
    }
}

/// The length of the payload, once the head is there up to it. `head` never has more bytes than that.
fn payload_length(head: &[u8]) -> Option<u64> {
    let (lengths, extended) = head.split_at_checked(2)?;
    match lengths[1] & !MASKED {
        126 => extended.try_into().ok().map(|length| u16::from_be_bytes(length).into()),
        127 => extended.try_into().ok().map(u64::from_be_bytes),
        short => Some(short.into()),
    }
}

/// Returns whether a frame with this first byte is anything else than a whole message.
fn says_nothing(first: u8) -> bool {
    let opcode = first & OPCODE;
    opcode >= CONTROL || opcode == CONTINUATION || first & FINAL == 0
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
            0..126 => frame.push(MASKED | length as u8),
            126..65_536 => {
                frame.push(MASKED | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            _ => {
                frame.push(MASKED | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        // Mask and payload look like pings.
        frame.extend(std::iter::repeat_n(0x89, 4 + length));
        frame
    }

    /// How many of a frame pass at once, fed in pieces of this size.
    fn passed(frame: &[u8], piece: usize) -> usize {
        let mut counter = counter();
        let mut passes = || frame.chunks(piece).try_for_each(|bytes| counter.follow(bytes)).is_ok();
        (0..200).take_while(|_| passes()).count()
    }

    #[test]
    fn whole_messages_are_not_counted_and_all_else_is() {
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
    fn a_length_beyond_all_measure_is_no_trouble() {
        let mut counter = counter();
        let mut frame = vec![0x81, MASKED | 127];
        frame.extend(u64::MAX.to_be_bytes());
        counter.follow(&frame).unwrap();
        counter.follow(&[0x89; 5_000]).unwrap();
    }
}
