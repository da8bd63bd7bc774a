//! Reading records one by one, as `quadrex convert` and `quadrex verify` both do.
//!
//! A record is a JSON object, whatever lines it stands on (RFC 8259, 2). One that is malformed ends where its braces or its
//! line do, or where another record visibly begins, so that those behind it are read.

use std::io::{self, BufRead, BufReader, Read};

use quadrex_protocol::MatchRecord;
use quadrex_rules::notation::Location;

/// The longest record that is read: it bounds the memory that any input can claim. A game of the longest text that is
/// read takes less.
const MAX_RECORD_BYTES: usize = 16 << 20;

/// Marks of a file's beginning and end, which joined files have in their midst.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const FILE_END: u8 = 0x1A;

/// A record, and where it stands.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) record: MatchRecord,
    /// The how-manieth of its source, from 1.
    pub(crate) number: u64,
    pub(crate) location: Location,
}

/// Reads records one by one.
pub(crate) struct Records<R> {
    input: BufReader<R>,
    number: u64,
    /// Of what is to be read next.
    location: Location,
    /// What was read and belongs to the next record: the rest of a line.
    rest: Vec<u8>,
    has_failed: bool,
}

/// The bytes of a record, and where they begin.
struct Piece {
    location: Location,
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl<R: Read> Records<R> {
    pub(crate) fn new(input: R) -> Self {
        let (number, rest) = (0, Vec::new());
        Self { input: BufReader::new(input), number, location: Location::START, rest, has_failed: false }
    }

    /// The bytes of the next record; `None` at the end.
    fn piece(&mut self) -> io::Result<Option<Piece>> {
        let mut piece: Option<Piece> = None;
        let mut scan = Scan::default();
        loop {
            let (line, is_cut) = self.line()?;
            if line.is_empty() {
                return Ok(piece);
            }
            let Some(piece) = &mut piece else {
                let blank = blank_length(&line);
                self.advance(&line[..blank]);
                if blank == line.len() {
                    continue;
                }
                let found =
                    piece.insert(Piece { location: self.location, bytes: Vec::new(), is_too_long: false });
                if self.extend(found, &mut scan, &line[blank..], is_cut)? {
                    return Ok(piece);
                }
                continue;
            };
            if scan.begins_anew(&line) {
                self.rest = line;
                break;
            }
            if self.extend(piece, &mut scan, &line, is_cut)? {
                break;
            }
        }
        Ok(piece)
    }

    /// Adds a line to a record, as far as it is the record's. Returns whether that is its end.
    fn extend(&mut self, piece: &mut Piece, scan: &mut Scan, line: &[u8], is_cut: bool) -> io::Result<bool> {
        let length = scan.take(line);
        piece.is_too_long = is_cut || piece.bytes.len() + length > MAX_RECORD_BYTES;
        self.advance(&line[..length]);
        self.rest = line[length..].to_vec();
        if is_cut {
            self.rest.clear();
            self.location.offset += (line.len() - length) as u64 + skip_line(&mut self.input)?;
            self.location.line += 1;
        }
        if piece.is_too_long {
            return Ok(true);
        }
        piece.bytes.extend_from_slice(&line[..length]);
        Ok(scan.is_done)
    }

    /// The next line with its end, or the rest of one; empty at the end. Tells whether it is cut.
    fn line(&mut self) -> io::Result<(Vec<u8>, bool)> {
        let mut line = std::mem::take(&mut self.rest);
        if line.is_empty() {
            self.input.by_ref().take(MAX_RECORD_BYTES as u64).read_until(b'\n', &mut line)?;
        }
        let is_cut = line.len() == MAX_RECORD_BYTES && !line.ends_with(b"\n");
        Ok((line, is_cut))
    }

    fn advance(&mut self, bytes: &[u8]) {
        self.location.offset += bytes.len() as u64;
        self.location.line += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    }
}

/// How many bytes at the beginning of a line are white space or marks of files.
fn blank_length(line: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        if byte.is_ascii_whitespace() || byte == FILE_END {
            at += 1;
        } else if line[at..].starts_with(BYTE_ORDER_MARK) {
            at += BYTE_ORDER_MARK.len();
        } else {
            break;
        }
    }
    at
}

/// What is known of the JSON of a record so far.
#[derive(Debug, Default)]
struct Scan {
    depth: u64,
    is_in_text: bool,
    is_escaped: bool,
    /// The last byte outside texts that is no white space.
    last: u8,
    is_done: bool,
}

impl Scan {
    /// Goes on through a line; returns how many of its bytes are the record's.
    fn take(&mut self, line: &[u8]) -> usize {
        for (at, &byte) in line.iter().enumerate() {
            if self.is_in_text {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.is_in_text = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.is_in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                self.last = byte;
            }
            if self.depth == 0 && matches!(byte, b'}' | b']') {
                self.is_done = true;
                return at + 1;
            }
        }
        // What does not begin as an object is none, and no text goes on in another line.
        self.is_done = self.depth == 0 || self.is_in_text;
        line.len()
    }

    /// Whether a line begins another record, though this one has not ended: an object where none can stand, or one that
    /// begins as a record does.
    fn begins_anew(&self, line: &[u8]) -> bool {
        if line.starts_with(BYTE_ORDER_MARK) {
            return true;
        }
        let Some(object) = line.strip_prefix(b"{") else { return false };
        !matches!(self.last, b':' | b',' | b'[') || object.trim_ascii_start().starts_with(b"\"format\"")
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

/// What is wrong with the JSON of a record, and where.
fn fault(error: &serde_json::Error, location: Location) -> String {
    let (line, column, text) = (error.line() as u64, error.column(), error.to_string());
    let text = text.split(" at line ").next().unwrap_or_default();
    match line {
        0 | 1 => format!("column {column}: {text}"),
        _ => format!("line {}, column {column}: {text}", location.line + line - 1),
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = Result<Record, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let piece = match self.piece() {
            Ok(piece) => piece?,
            Err(error) => {
                self.has_failed = true;
                return Some(Err(format!("record {}, {}: {error}", self.number + 1, self.location)));
            }
        };
        self.number += 1;
        let (number, location) = (self.number, piece.location);
        if piece.is_too_long {
            return Some(Err(format!("record {number}, {location}: longer than {MAX_RECORD_BYTES} bytes")));
        }
        let record = serde_json::from_slice(&piece.bytes);
        let record =
            record.map_err(|error| format!("record {number}, {location}: {}", fault(&error, location)));
        Some(record.map(|record| Record { record, number, location }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &[u8]) -> Vec<Result<(u64, u64), String>> {
        let shown = |record: Record| (record.number, record.location.line);
        Records::new(text).map(|record| record.map(shown)).collect()
    }

    /// A record on one line.
    const LINE: &str = r#"{"format":"quadrex-record-2","variant":"classic","events":[{"event":{"type":"moved","color":"white","move":"e2e4"}}]}"#;

    /// A line without end is not held in memory, and the next one is read.
    #[test]
    fn too_long_lines_are_skipped() {
        let long = io::repeat(b'x').take(MAX_RECORD_BYTES as u64 + 100_000);
        let mut records = Records::new(long.chain(&b"\n\n{}\n"[..]));
        let shown = records.next().map(|record| record.map(|record| record.number));
        assert_eq!(shown, Some(Err("record 1, line 1 (byte 0): longer than 16777216 bytes".to_owned())));
        let second = records.next().map(|record| record.map(|record| record.number));
        let message = "record 2, line 3 (byte 16877218): column 2: missing field `format`";
        assert_eq!(second, Some(Err(message.to_owned())));
        assert!(records.next().is_none());
    }

    /// However records are laid out and joined, each is read.
    #[test]
    fn records_stand_on_any_lines() {
        let pretty = |indent: &[u8]| {
            let value: serde_json::Value = serde_json::from_str(LINE).unwrap();
            let mut text = Vec::new();
            let formatter = serde_json::ser::PrettyFormatter::with_indent(indent);
            let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
            serde::Serialize::serialize(&value, &mut serializer).unwrap();
            String::from_utf8(text).unwrap()
        };
        // The value's keys are in another order, so that none of its lines begins as a record does.
        let (two, none) = (pretty(b"  "), pretty(b""));
        let crlf = two.replace('\n', "\r\n");
        for (text, lines) in [
            (format!("{LINE}\n{LINE}\n"), [1, 2]),
            (format!("{LINE}{LINE}"), [1, 1]),
            (format!("{LINE} {LINE}\n\n"), [1, 1]),
            (format!("\u{feff}{two}\n{two}"), [1, 14]),
            (format!("{none}\n{none}\n\u{1a}"), [1, 14]),
            (format!("{crlf}\r\n\u{feff}{LINE}\r\n"), [1, 14]),
            (format!("{two}{LINE}"), [1, 13]),
        ] {
            let expected: Vec<_> = (1..).zip(lines).map(|(number, line)| Ok((number, line))).collect();
            assert_eq!(shown(text.as_bytes()), expected, "{text}");
        }
    }

    /// A malformed record is named, and hides none of the others.
    #[test]
    fn a_malformed_record_is_one() {
        for bad in [
            "{",
            "{\"format\":",
            "{\"format\":\"quadrex-record-2\",",
            "{\"format\": \"no end",
            "nonsense",
            "[]",
            "{}",
            "{\"format\":\"quadrex-record-2\",\n \"variant\":\"classic\"",
            "{\n\"format\": [\n",
        ] {
            let text = format!("{LINE}\n{bad}\n{LINE}\n{LINE}");
            let read = shown(text.as_bytes());
            let good: Vec<bool> = read.iter().map(Result::is_ok).collect();
            assert_eq!(good, [true, false, true, true], "{bad}: {read:?}");
            let error = read[1].as_ref().unwrap_err();
            assert!(error.starts_with("record 2, line 2 (byte "), "{bad}: {error}");
        }
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
