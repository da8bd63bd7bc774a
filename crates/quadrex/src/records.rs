//! A reader of match records, for `quadrex convert` and `quadrex verify`.
//!
//! A record is a JSON object on any number of lines (RFC 8259, section 2). A malformed record ends
//! at its last closing brace, at the end of its line, or where another record obviously begins. The
//! records after it can therefore be read.

use std::io::{self, BufRead, BufReader, Read};

use quadrex_protocol::MatchRecord;
use quadrex_rules::notation::Location;

/// The maximum size of a record. It limits the memory that an input can use. A game of the maximum
/// text length needs less.
const MAX_RECORD_BYTES: usize = 16 << 20;

/// Marks at the beginning and the end of a file. Concatenated files contain them in the middle.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const FILE_END: u8 = 0x1A;

/// A record and its location.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) record: MatchRecord,
    /// Its number in the source, from 1.
    pub(crate) number: u64,
    pub(crate) location: Location,
}

/// An iterator over the records of a source.
pub(crate) struct Records<R> {
    input: BufReader<R>,
    number: u64,
    /// The location of the next byte.
    location: Location,
    /// The unread rest of the current line.
    rest: Vec<u8>,
    has_failed: bool,
}

/// The bytes of a record and their location.
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

    /// Returns the bytes of the next record, or `None` at the end of the input.
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
            if scan.is_new_record(&line) {
                self.rest = line;
                break;
            }
            if self.extend(piece, &mut scan, &line, is_cut)? {
                break;
            }
        }
        Ok(piece)
    }

    /// Adds the part of a line that belongs to a record. Returns true if the record ends there.
    fn extend(&mut self, piece: &mut Piece, scan: &mut Scan, line: &[u8], is_cut: bool) -> io::Result<bool> {
        let length = scan.consume(line);
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

    /// Returns the rest of the current line, or the next line, with its line break. At the end of
    /// the input the result is empty. The second value is true if the line was cut because it is
    /// longer than the maximum.
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

/// Returns the number of bytes at the beginning of a line that are white space or marks of files.
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

/// The state of scanning the JSON of a record.
#[derive(Debug, Default)]
struct Scan {
    depth: u64,
    is_in_string: bool,
    is_escaped: bool,
    /// The last byte outside strings that is not white space.
    last: u8,
    is_done: bool,
}

impl Scan {
    /// Scans a line and returns the number of its bytes that belong to the record.
    fn consume(&mut self, line: &[u8]) -> usize {
        for (at, &byte) in line.iter().enumerate() {
            if self.is_in_string {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.is_in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.is_in_string = true,
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
        // The record ends here if the text is not an object or has an unterminated string, because
        // a JSON string cannot span lines.
        self.is_done = self.depth == 0 || self.is_in_string;
        line.len()
    }

    /// Returns true if a line begins another record although the current record has not ended. This
    /// is the case if the line begins an object where none is possible, or an object that begins
    /// like a record.
    fn is_new_record(&self, line: &[u8]) -> bool {
        if line.starts_with(BYTE_ORDER_MARK) {
            return true;
        }
        let Some(object) = line.strip_prefix(b"{") else { return false };
        !matches!(self.last, b':' | b',' | b'[') || object.trim_ascii_start().starts_with(b"\"format\"")
    }
}

/// Reads to the end of the line and returns the number of bytes.
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

/// Returns the message of a JSON error with its location.
fn json_error(error: &serde_json::Error, location: Location) -> String {
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
            record.map_err(|error| format!("record {number}, {location}: {}", json_error(&error, location)));
        Some(record.map(|record| Record { record, number, location }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number and line of each record, or its error.
    fn read(text: &[u8]) -> Vec<Result<(u64, u64), String>> {
        let location = |record: Record| (record.number, record.location.line);
        Records::new(text).map(|record| record.map(location)).collect()
    }

    /// A record on one line.
    const LINE: &str = r#"{"format":"quadrex-record-2","variant":"classic","events":[{"event":{"type":"moved","color":"white","move":"e2e4"}}]}"#;

    /// A line of any length needs only limited memory, and the record after it is read.
    #[test]
    fn too_long_lines_are_skipped() {
        let long = io::repeat(b'x').take(MAX_RECORD_BYTES as u64 + 100_000);
        let mut records = Records::new(long.chain(&b"\n\n{}\n"[..]));
        let first = records.next().map(|record| record.map(|record| record.number));
        assert_eq!(first, Some(Err("record 1, line 1 (byte 0): longer than 16777216 bytes".to_owned())));
        let second = records.next().map(|record| record.map(|record| record.number));
        let message = "record 2, line 3 (byte 16877218): column 2: missing field `format`";
        assert_eq!(second, Some(Err(message.to_owned())));
        assert!(records.next().is_none());
    }

    /// Records are read with any line breaks and separators.
    #[test]
    fn records_may_span_lines_and_share_them() {
        let pretty = |indent: &[u8]| {
            let value: serde_json::Value = serde_json::from_str(LINE).unwrap();
            let mut text = Vec::new();
            let formatter = serde_json::ser::PrettyFormatter::with_indent(indent);
            let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
            serde::Serialize::serialize(&value, &mut serializer).unwrap();
            String::from_utf8(text).unwrap()
        };
        // The keys of the value are in another order, so none of its lines begins like a record.
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
            assert_eq!(read(text.as_bytes()), expected, "{text}");
        }
    }

    /// A malformed record is reported, and the others are read.
    #[test]
    fn a_malformed_record_is_a_single_error() {
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
            let records = read(text.as_bytes());
            let good: Vec<bool> = records.iter().map(Result::is_ok).collect();
            assert_eq!(good, [true, false, true, true], "{bad}: {records:?}");
            let error = records[1].as_ref().unwrap_err();
            assert!(error.starts_with("record 2, line 2 (byte "), "{bad}: {error}");
        }
    }

    #[test]
    fn a_read_error_is_the_end() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("out of order"))
            }
        }
        let mut records = Records::new(Broken);
        let first = records.next().map(|record| record.map(|record| record.number));
        assert_eq!(first, Some(Err("record 1, line 1 (byte 0): out of order".to_owned())));
        assert!(records.next().is_none());
    }
}
