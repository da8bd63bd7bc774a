//! Lines of an engine's output, which may contain anything.

use std::io;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// The length to which lines are cut, in bytes. It is enough for any line of UCI.
const MAX_LINE_BYTES: usize = 64 * 1024;

/// A line reader with bounded memory.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    /// The part of the line that has been read so far. This part is a field of the reader, so that
    /// no text is lost if a read is cancelled.
    line: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(output: R) -> Self {
        Self { input: BufReader::new(output), line: Vec::new() }
    }

    /// Returns the next line without its line break, or `None` at the end of the output. Bytes that
    /// are not UTF-8 are replaced.
    pub(crate) async fn next(&mut self) -> io::Result<Option<String>> {
        loop {
            let bytes = self.input.fill_buf().await?;
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let room = MAX_LINE_BYTES.saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let is_at_end = bytes.is_empty();
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() || is_at_end && !self.line.is_empty() {
                let line = std::mem::take(&mut self.line);
                return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
            }
            if is_at_end {
                return Ok(None);
            }
        }
    }
}

/// Returns the rest of a line after its first word, if that word is `word`. White space after the
/// word is removed.
pub(crate) fn after_word<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(bytes);
        let mut read = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            read.push(line);
        }
        read
    }

    #[tokio::test]
    async fn lines_of_any_bytes_are_read_and_long_ones_cut() {
        let mut bytes = b"id author J\xf6rg\r\n\n\0\n".to_vec();
        bytes.extend(vec![b'x'; MAX_LINE_BYTES + 100_000]);
        bytes.extend(b"\nuciok\nlast");
        let read = lines(&bytes).await;
        assert_eq!(read[..3], ["id author J\u{fffd}rg\r", "", "\0"]);
        assert_eq!(read[3].len(), MAX_LINE_BYTES);
        assert_eq!(read[4..], ["uciok", "last"]);
    }

    #[test]
    fn a_first_word_ends_at_any_white_space() {
        assert_eq!(after_word(" \tbestmove\t  e7e5  ponder d2d4\r", "bestmove"), Some("e7e5  ponder d2d4"));
        assert_eq!(after_word("bestmove", "bestmove"), Some(""));
        assert_eq!(after_word("bestmoves e7e5", "bestmove"), None);
        assert_eq!(after_word("info bestmove e7e5", "bestmove"), None);
    }
}
