//! Bytes as they come in, with their places.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;

/// Where the bytes of games come from.
///
/// A slice is a source, and so is a closure that fills a buffer; with the standard library's readers that is
/// `|buffer: &mut [u8]| file.read(buffer)`.
pub trait Source {
    /// What may go wrong in reading.
    type Error;

    /// Fills the front of `buffer` and says how far; 0 at the end.
    ///
    /// # Errors
    /// Whatever the source meets.
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

/// A place in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Bytes before it.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
}

impl Place {
    /// The beginning.
    pub const START: Self = Self { offset: 0, line: 1 };
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} (byte {})", self.line, self.offset)
    }
}

/// UTF-8's sign of itself, which some programs put first.
const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// How many bytes are asked of the source at a time.
const BLOCK: usize = 16 * 1024;

/// A source with a few bytes of sight ahead.
#[derive(Debug)]
pub(super) struct Input<S> {
    source: S,
    buffer: Vec<u8>,
    /// The bytes of the buffer that are still to be read.
    start: usize,
    end: usize,
    has_ended: bool,
    place: Place,
    last: u8,
}

impl<S: Source> Input<S> {
    pub(super) fn new(source: S) -> Self {
        let buffer = alloc::vec![0; BLOCK];
        Self { source, buffer, start: 0, end: 0, has_ended: false, place: Place::START, last: b'\n' }
    }

    /// The place of the next byte.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Whether the next byte is the first of its line.
    pub(super) fn is_line_start(&self) -> bool {
        self.last == b'\n'
    }

    /// The next byte; `None` at the end.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, S::Error> {
        self.peek_at(0)
    }

    /// The byte after the next.
    pub(super) fn peek_second(&mut self) -> Result<Option<u8>, S::Error> {
        self.peek_at(1)
    }

    /// Passes over the byte order mark that the source may begin with; it is no part of the first line.
    pub(super) fn skip_byte_order_mark(&mut self) -> Result<(), S::Error> {
        if self.place != Place::START {
            return Ok(());
        }
        for (ahead, byte) in BYTE_ORDER_MARK.into_iter().enumerate() {
            if self.peek_at(ahead)? != Some(byte) {
                return Ok(());
            }
        }
        self.start += BYTE_ORDER_MARK.len();
        self.place.offset += BYTE_ORDER_MARK.len() as u64;
        Ok(())
    }

    /// Takes the next byte.
    pub(super) fn next(&mut self) -> Result<Option<u8>, S::Error> {
        let next = self.peek()?;
        if let Some(byte) = next {
            self.start += 1;
            self.place.offset += 1;
            self.place.line += u64::from(byte == b'\n');
            self.last = byte;
        }
        Ok(next)
    }

    /// Takes bytes as long as they belong, up to about `limit` bytes from the beginning of the source.
    pub(super) fn take_while(
        &mut self,
        limit: u64,
        belongs: impl Fn(u8) -> bool,
        taken: &mut Vec<u8>,
    ) -> Result<(), S::Error> {
        while self.place.offset < limit && self.peek()?.is_some() {
            let bytes = &self.buffer[self.start..self.end];
            let count = bytes.iter().position(|&byte| !belongs(byte)).unwrap_or(bytes.len());
            let Some((&last, _)) = bytes[..count].split_last() else { break };
            taken.extend_from_slice(&bytes[..count]);
            self.place.line += bytes[..count].iter().filter(|&&byte| byte == b'\n').count() as u64;
            self.place.offset += count as u64;
            self.last = last;
            self.start += count;
        }
        Ok(())
    }

    fn peek_at(&mut self, ahead: usize) -> Result<Option<u8>, S::Error> {
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
