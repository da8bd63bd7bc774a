//! `quadrex verify`: checks match records.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::convert::Input;
use crate::records::Records;

/// The records to verify.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// File of match records; - is standard input.
    file: PathBuf,
}

/// Checks every record of a file and prints a line for each: `ok` or the first fault. Fails if any
/// record has a fault.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let input = Input::open(&arguments.file)?;
    let progress = input.progress("0 records");
    let Input { name, source, .. } = input;
    let (mut count, mut faulty) = (0, 0);
    for record in Records::new(progress.reading(source)) {
        count += 1;
        progress.describe(format_args!("{count} records"));
        let result = record.and_then(|found| {
            let verified = found.record.verify();
            verified.map_err(|error| format!("record {count}: {error}"))
        });
        match result {
            Ok(verified) => progress.print(|| println!("ok {verified}")),
            Err(error) => {
                progress.print(|| println!("{name}: {error}"));
                faulty += 1;
            }
        }
    }
    anyhow::ensure!(count > 0, "{name}: there is no record");
    Ok(if faulty == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
