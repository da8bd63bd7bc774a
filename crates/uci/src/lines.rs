//! Lines of text from a stream of arbitrary bytes.

use std::io::{self, BufRead};

/// The longest accepted line, in bytes: enough for a game of some hundred thousand moves.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;

/// A splitter of a stream into lines.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
}

/// The error of a line that is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum LineError {
    /// Longer than [`MAX_LINE_BYTES`].
    #[error("line longer than {MAX_LINE_BYTES} bytes")]
    TooLong,
    /// Not UTF-8.
    #[error("line is not UTF-8 text")]
    NotText,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input }
    }

    /// Returns the next line without its line break, or `None` at the end of the stream. The buffer
    /// never contains more than the longest accepted line.
    pub(super) fn next(&mut self) -> io::Result<Option<Result<String, LineError>>> {
        let mut line = Vec::new();
        let mut length = 0;
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() && length == 0 {
                return Ok(None);
            }
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let taken = &bytes[..end.unwrap_or(bytes.len())];
            let room = MAX_LINE_BYTES - line.len();
            line.extend_from_slice(&taken[..taken.len().min(room)]);
            length += taken.len();
            let is_complete = end.is_some() || bytes.is_empty();
            let used = taken.len() + usize::from(end.is_some());
            self.input.consume(used);
            if is_complete {
                break;
            }
        }
        Ok(Some(if length > MAX_LINE_BYTES {
            Err(LineError::TooLong)
        } else if is_go(&line) {
            Ok(String::from_utf8_lossy(&line).into_owned())
        } else {
            String::from_utf8(line).map_err(|_| LineError::NotText)
        }))
    }
}

/// Returns true for a line that requests a search. Such a line is answered with a move even if it
/// is not UTF-8, because an invalid byte is treated as an invalid word.
fn is_go(line: &[u8]) -> bool {
    let rest = line.trim_ascii_start().strip_prefix(b"go");
    rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Result<String, LineError>> {
        let mut lines = Lines::new(bytes);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    #[test]
    fn lines_end_with_a_break_or_the_stream() {
        assert_eq!(lines(b"a\n\nb"), [Ok("a".into()), Ok(String::new()), Ok("b".into())]);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [Ok(String::new())]);
    }

    #[test]
    fn an_invalid_or_long_line_leaves_the_next_line_intact() {
        let mut bytes = vec![b'x'; MAX_LINE_BYTES + 1];
        bytes.extend(b"\n\xff\xfe\nd\n");
        assert_eq!(lines(b"go depth 1 \xff"), [Ok("go depth 1 \u{fffd}".into())]);
        assert_eq!(lines(&bytes), [Err(LineError::TooLong), Err(LineError::NotText), Ok("d".into())]);
        assert_eq!(lines(&vec![b'x'; MAX_LINE_BYTES])[0].as_ref().map(String::len), Ok(MAX_LINE_BYTES));
    }
}
