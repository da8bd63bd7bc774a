//! What a database or the line to it says when something goes wrong, on one line.

/// What the database said, or what was wrong with the line to it.
pub(super) fn reason(error: &sqlx::Error) -> String {
    error.as_database_error().map_or_else(|| one_line(error), |database| database.message().to_owned())
}

/// An error and its sources on one line, each said once.
pub(super) fn one_line(error: &dyn std::error::Error) -> String {
    let mut line = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !line.contains(&text) {
            line = format!("{line}: {text}");
        }
        source = cause.source();
    }
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
