//! `quadrex verify`: says whether records are what they say.

use std::io::BufReader;
use std::path::PathBuf;
use std::process::ExitCode;

use quadrex_protocol::MatchRecord;

use crate::convert;

/// What it is called with.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A file of records, one after the other; `-` is standard input.
    file: PathBuf,
}

/// Checks every record of a file: one line for each, `ok` or what is wrong first. Fails if anything is.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (name, input) = convert::open(&arguments.file)?;
    let (mut count, mut wrong) = (0, 0);
    for record in serde_json::Deserializer::from_reader(BufReader::new(input)).into_iter::<MatchRecord>() {
        count += 1;
        let said = match record {
            // What is no record cannot be read past.
            Err(error) => Err(error.to_string()),
            Ok(record) => record.verify().map_err(|error| error.to_string()),
        };
        match said {
            Ok(verified) => println!("ok {verified}"),
            Err(error) => {
                println!("{name}: record {count}: {error}");
                wrong += 1;
            }
        }
    }
    anyhow::ensure!(count > 0, "{name}: there is no record");
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
