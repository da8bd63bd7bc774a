//! Reading a position or a game to draw.

use std::io::{Cursor, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use quadrex_rules::notation::Playback;
use quadrex_rules::{AnyPosition, Setup, Variant};
use quadrex_server::explore::{is_position, read_position};

use crate::convert::form::Form;
use crate::convert::games::Games;
use crate::convert::{Input, printable};

/// The maximum length of the text of a position. A longer text is read as games.
const HEAD: u64 = 16 * 1024;

/// The name of a variant's start position, as in UCI.
const START: &str = "startpos";

/// A position, or a replayed game.
pub(super) enum Source {
    Position(Box<AnyPosition>),
    Game(Box<Playback>),
}

impl Source {
    /// Parses `--position`.
    pub(super) fn of_position(text: &str, variant: Option<Variant>) -> Result<Self> {
        if text.trim() == START {
            return Self::of_setup(&Setup::start(variant.unwrap_or(Variant::DEFAULT))).context("--position");
        }
        let setup = read_position(text, variant).context("--position")?;
        Self::of_setup(&setup).context("--position")
    }

    fn of_setup(setup: &Setup) -> Result<Self> {
        Ok(Self::Position(Box::new(AnyPosition::new(setup)?)))
    }

    /// Reads the position in a file, or the file's game with this number.
    pub(super) fn read(
        path: &Path,
        from: Option<Form>,
        variant: Option<Variant>,
        number: u64,
        partial: bool,
    ) -> Result<Self> {
        let Input { name, mut source, .. } = Input::open(path)?;
        let mut head = Vec::new();
        source.by_ref().take(HEAD).read_to_end(&mut head).with_context(|| name.clone())?;
        let form = from.or_else(|| Form::of_extension(path));
        let is_whole = (head.len() as u64) < HEAD;
        if form.is_none() && is_whole {
            let text = String::from_utf8_lossy(&head);
            if is_position(&text, variant) {
                let setup = read_position(&text, variant).with_context(|| name.clone())?;
                return Self::of_setup(&setup).context(name);
            }
        }
        let form = form.unwrap_or_else(|| Form::of_content(&head));
        let games = Games::new(Cursor::new(head).chain(source), form, partial);
        let mut count = 0;
        for game in games {
            count += 1;
            if count == number {
                let playback = game.and_then(|game| game.playback());
                let playback = playback.map_err(|refusal| anyhow!("{name}: {}", printable(&refusal)))?;
                return Ok(Self::Game(Box::new(playback)));
            }
        }
        match count {
            0 => bail!("{name}: the input has no position and no game"),
            1 => bail!("{name}: --game is {number}, and the file has one game"),
            _ => bail!("{name}: --game is {number}, and the file has {count} games"),
        }
    }
}
