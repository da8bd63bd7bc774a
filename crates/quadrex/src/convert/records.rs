//! Reading records, one a line.

use std::io::{self, BufRead, BufReader, Read};

use quadrex_protocol::MatchRecord;
use quadrex_rules::notation::Place;

/// The longest line that is read: it bounds the memory that any input can claim. A game of the longest text that is
/// read takes less.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// A record, and where it stands.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) record: MatchRecord,
    /// The how-manieth of its source, from 1.
    pub(super) number: u64,
    pub(super) place: Place,
}

/// Reads records one by one.
pub(super) struct Records<R> {
    input: BufReader<R>,
    number: u64,
    /// Of the line to be read next.
    place: Place,
    has_failed: bool,
}

impl<R: Read> Records<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input: BufReader::new(input), number: 0, place: Place::START, has_failed: false }
    }

    /// The next line that is not empty, and its place; the line is empty at the end, and too long lines are cut.
    fn line(&mut self) -> io::Result<(Place, Vec<u8>)> {
        loop {
            let place = self.place;
            let mut line = Vec::new();
            self.input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
            let mut count = line.len() as u64;
            if count == MAX_LINE_BYTES && !line.ends_with(b"\n") {
                count += skip_line(&mut self.input)?;
            }
            self.place = Place { offset: place.offset + count, line: place.line + 1 };
            if line.is_empty() || !line.trim_ascii().is_empty() {
                return Ok((place, line));
            }
        }
    }
}

/// Reads to the end of the line and says how many bytes that were.
fn skip_line(input: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let count = end.map_or(buffer.len(), |end| end + 1);
        let is_done = end.is_some() || buffer.is_empty();
        input.consume(count);
        skipped += count as u64;
        if is_done {
            return Ok(skipped);
        }
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = Result<Record, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let (place, line) = match self.line() {
            Ok((_, line)) if line.is_empty() => return None,
            Ok(line) => line,
            Err(error) => {
                self.has_failed = true;
                return Some(Err(format!("record {}, {}: {error}", self.number + 1, self.place)));
            }
        };
        self.number += 1;
        let number = self.number;
        let refuse = |reason: String| Some(Err(format!("record {number}, {place}: {reason}")));
        if line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
            return refuse(format!("longer than {MAX_LINE_BYTES} bytes"));
        }
        match serde_json::from_slice(line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line)) {
            Ok(record) => Some(Ok(Record { record, number, place })),
            Err(error) => {
                let (column, text) = (error.column(), error.to_string());
                let text = text.split(" at line ").next().unwrap_or_default();
                refuse(format!("column {column}: {text}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line without end is not held in memory, and the next one is read.
    #[test]
    fn too_long_lines_are_skipped() {
        let long = io::repeat(b'x').take(MAX_LINE_BYTES + 100_000);
        let mut records = Records::new(long.chain(&b"\n\n{}\n"[..]));
        let shown = records.next().map(|record| record.map(|record| record.number));
        assert_eq!(shown, Some(Err("record 1, line 1 (byte 0): longer than 16777216 bytes".to_owned())));
        let second = records.next().map(|record| record.map(|record| record.number));
        let message = "record 2, line 3 (byte 16877218): column 2: missing field `format`";
        assert_eq!(second, Some(Err(message.to_owned())));
        assert!(records.next().is_none());
    }

    #[test]
    fn a_source_that_fails_is_the_end() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("out of order"))
            }
        }
        let mut records = Records::new(Broken);
        let shown = records.next().map(|record| record.map(|record| record.number));
        assert_eq!(shown, Some(Err("record 1, line 1 (byte 0): out of order".to_owned())));
        assert!(records.next().is_none());
    }
}
