//! Buffered input of bytes, with their locations.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;

/// A source of bytes.
///
/// A slice is a source, and a closure that fills a buffer is a source too. For readers of the
/// standard library, the closure is `|buffer: &mut [u8]| file.read(buffer)`.
pub trait Source {
    /// The error of reading.
    type Error;

    /// Fills the front of `buffer` and returns the number of bytes read; 0 at the end of the
    /// source.
    ///
    /// # Errors
    /// Returns any error of the source.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error>;
}

impl Source for &[u8] {
    type Error = Infallible;

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let count = self.len().min(buffer.len());
        let (front, rest) = self.split_at(count);
        buffer[..count].copy_from_slice(front);
        *self = rest;
        Ok(count)
    }
}

impl<F, E> Source for F
where
    F: FnMut(&mut [u8]) -> Result<usize, E>,
{
    type Error = E;

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, E> {
        self(buffer)
    }
}

/// A location in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The number of bytes before the location.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
}

impl Location {
    /// The beginning of the source.
    pub const START: Self = Self { offset: 0, line: 1 };
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} (byte {})", self.line, self.offset)
    }
}

/// The UTF-8 byte order mark, which some programs write at the beginning of a file.
const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// Returns whether a byte ends a line. `last_byte` is the byte before `byte`. It is needed because
/// CR LF counts as one line end.
fn ends_line(last_byte: u8, byte: u8) -> bool {
    byte == b'\r' || byte == b'\n' && last_byte != b'\r'
}

/// The number of bytes requested from the source at a time.
const BLOCK: usize = 16 * 1024;

/// A source with a few bytes of lookahead.
#[derive(Debug)]
pub(super) struct Input<S> {
    source: S,
    buffer: Vec<u8>,
    /// The start and the end of the unread bytes in the buffer.
    start: usize,
    end: usize,
    has_ended: bool,
    location: Location,
    last_byte: u8,
}

impl<S: Source> Input<S> {
    pub(super) fn new(source: S) -> Self {
        let buffer = alloc::vec![0; BLOCK];
        Self {
            source,
            buffer,
            start: 0,
            end: 0,
            has_ended: false,
            location: Location::START,
            last_byte: b'\n',
        }
    }

    /// The location of the next byte.
    pub(super) fn location(&self) -> Location {
        self.location
    }

    /// Returns whether the next byte is the first of its line. Lines end with LF, CR LF or CR.
    pub(super) fn is_line_start(&mut self) -> Result<bool, S::Error> {
        Ok(match self.last_byte {
            b'\n' => true,
            b'\r' => self.peek()? != Some(b'\n'),
            _ => false,
        })
    }

    /// Returns the next byte without consuming it; `None` at the end.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, S::Error> {
        self.peek_at(0)
    }

    /// Returns the byte after the next.
    pub(super) fn peek_second(&mut self) -> Result<Option<u8>, S::Error> {
        self.peek_at(1)
    }

    /// Returns whether a byte order mark comes next.
    pub(super) fn is_byte_order_mark(&mut self) -> Result<bool, S::Error> {
        for (ahead, byte) in BYTE_ORDER_MARK.into_iter().enumerate() {
            if self.peek_at(ahead)? != Some(byte) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Skips a byte order mark, if it comes next. Returns true if a mark was skipped. The mark does
    /// not count as a part of the line.
    pub(super) fn skip_byte_order_mark(&mut self) -> Result<bool, S::Error> {
        let is_there = self.is_byte_order_mark()?;
        if is_there {
            self.start += BYTE_ORDER_MARK.len();
            self.location.offset += BYTE_ORDER_MARK.len() as u64;
        }
        Ok(is_there)
    }

    /// Returns the next letter and its number of bytes. The letter is decoded as UTF-8, or as one
    /// byte of Latin-1 if it is not valid UTF-8.
    pub(super) fn peek_letter(&mut self) -> Result<Option<(char, usize)>, S::Error> {
        let Some(first) = self.peek()? else { return Ok(None) };
        let length = match first {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return Ok(Some((char::from(first), 1))),
        };
        let mut bytes = [first; 4];
        for (ahead, byte) in bytes.iter_mut().enumerate().take(length) {
            match self.peek_at(ahead)? {
                Some(next) => *byte = next,
                None => return Ok(Some((char::from(first), 1))),
            }
        }
        let letter = core::str::from_utf8(&bytes[..length]).ok().and_then(|text| text.chars().next());
        Ok(Some(letter.map_or((char::from(first), 1), |letter| (letter, length))))
    }

    /// Consumes and returns the next byte; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<u8>, S::Error> {
        let next = self.peek()?;
        if let Some(byte) = next {
            self.start += 1;
            self.location.offset += 1;
            self.location.line += u64::from(ends_line(self.last_byte, byte));
            self.last_byte = byte;
        }
        Ok(next)
    }

    /// Consumes bytes as long as `belongs` accepts them, up to about `limit` bytes from the start
    /// of the source, and adds them to `consumed`.
    pub(super) fn take_while(
        &mut self,
        limit: u64,
        belongs: impl Fn(u8) -> bool,
        consumed: &mut Vec<u8>,
    ) -> Result<(), S::Error> {
        while self.location.offset < limit && self.peek()?.is_some() {
            let bytes = &self.buffer[self.start..self.end];
            let count = bytes.iter().position(|&byte| !belongs(byte)).unwrap_or(bytes.len());
            if count == 0 {
                break;
            }
            consumed.extend_from_slice(&bytes[..count]);
            for &byte in &bytes[..count] {
                self.location.line += u64::from(ends_line(self.last_byte, byte));
                self.last_byte = byte;
            }
            self.location.offset += count as u64;
            self.start += count;
        }
        Ok(())
    }

    /// Returns the byte at a distance of `ahead` bytes, which must be less than a block.
    pub(super) fn peek_at(&mut self, ahead: usize) -> Result<Option<u8>, S::Error> {
        while self.start + ahead >= self.end && !self.has_ended {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            let count = self.source.read(&mut self.buffer[self.end..])?;
            self.has_ended = count == 0;
            self.end = (self.end + count).min(self.buffer.len());
        }
        Ok(self.buffer[self.start..self.end].get(ahead).copied())
    }
}
