//! Suites of positions with counts: one position a line, as `FEN ;D1 20 ;D2 400`; lines that begin
//! with `#` are remarks.

/// The number of legal move sequences of `depth` moves from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    pub(crate) fen: &'a str,
    pub(crate) depth: u32,
    pub(crate) count: u64,
}

/// Returns every entry of a suite in order, or the line that cannot be read.
pub(crate) fn read(suite: &str) -> Result<Vec<Entry<'_>>, String> {
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(suite.lines()).filter(|(_, line)| !line.starts_with('#')) {
        let read =
            read_line(line).ok_or_else(|| format!("line {number}: {line:?} is no position with counts"))?;
        entries.extend(read);
    }
    Ok(entries)
}

/// Returns the entries of one line: at least one, at increasing depths.
fn read_line(line: &str) -> Option<Vec<Entry<'_>>> {
    let mut fields = line.split(" ;");
    let fen = fields.next().filter(|fen| fen.split(' ').count() == 6)?;
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for field in fields {
        let (depth, count) = field.strip_prefix('D')?.split_once(' ')?;
        let entry = Entry { fen, depth: u32::try_from(number(depth)?).ok()?, count: number(count)? };
        if entry.depth <= entries.last().map_or(0, |last| last.depth) {
            return None;
        }
        entries.push(entry);
    }
    (!entries.is_empty()).then_some(entries)
}

/// Digits and nothing else.
fn number(digits: &str) -> Option<u64> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}
