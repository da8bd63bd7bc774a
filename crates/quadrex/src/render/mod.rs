//! `quadrex render`: draws positions and games from files. The pictures are the same as those of a
//! server.

mod format;
mod source;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::Args;
use quadrex_rules::{Color, Move, Variant};
use quadrex_server::picture::{self, Picture};

use crate::convert::form::Form;
use crate::convert::is_standard;
use crate::output::Output;
use format::Format;
use source::Source;

/// The position or game to draw, and the view of it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    quadrex render match.json --out match.gif\n  \
    quadrex render games.pgn --game 3 --ply 20 --bottom black --out position.png\n  \
    quadrex render --position startpos --variant dilkel > start.svg")]
pub(crate) struct Arguments {
    /// File with a position (FEN or FEN4) or with games (PGN, PGN4 or JSON match records); - is
    /// standard input.
    #[arg(default_value = "-", conflicts_with = "position")]
    input: PathBuf,
    /// Position to draw: a FEN, a FEN4, or startpos.
    #[arg(long, value_name = "FEN")]
    position: Option<String>,
    /// Input format [default: by the file's extension, otherwise by its content].
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "position")]
    from: Option<Form>,
    /// File to write; - is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Output format [default: by the extension of --out, otherwise svg].
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Variant of a position whose text does not name it [default: dilkel for startpos].
    #[arg(long, value_name = "VARIANT", value_parser = crate::values::variant)]
    variant: Option<Variant>,
    /// Color at the bottom of the board [default: the first player].
    #[arg(long, value_name = "COLOR", value_parser = crate::values::color)]
    bottom: Option<Color>,
    /// Width in pixels, for svg and png [default: 600].
    #[arg(long, value_name = "PIXELS")]
    width: Option<u32>,
    /// Number of the game in the file.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// Number of plies to play before drawing [default: all, of an ended game with the players who
    /// went out last; for gif a frame for each].
    #[arg(long, value_name = "NUMBER")]
    ply: Option<usize>,
    /// Move to mark in a position, such as e2e4.
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<Move>,
    /// Draws a game that was played by other rules, up to the first move that is illegal here.
    #[arg(long)]
    partial: bool,
}

/// Draws the picture and writes it. If it cannot be drawn, nothing is written.
///
/// # Errors
/// Returns an error if the input cannot be read, contains no position or game, or does not contain
/// what the flags select.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let format = arguments.format.or_else(|| Format::of_extension(&arguments.out)).unwrap_or(Format::Svg);
    let width = arguments.width(format)?;
    let to_terminal = is_standard(&arguments.out) && io::stdout().is_terminal();
    ensure!(!to_terminal || format == Format::Svg, "standard output is a terminal: name a file with --out");
    let pictures = arguments.pictures(format)?;
    let pictures =
        pictures.into_iter().map(|picture| arguments.with_view(picture)).collect::<Result<Vec<_>>>()?;
    let [first, ..] = pictures.as_slice() else { bail!("nothing to draw") };
    let bytes = match format {
        Format::Svg => picture::svg(first, width).into_bytes(),
        Format::Png => picture::png(first, width),
        Format::Card => picture::card(first),
        Format::Gif => picture::gif(&pictures),
    };
    Output::create(&arguments.out)?.write(&bytes).map(drop)
}

impl Arguments {
    fn width(&self, format: Format) -> Result<u32> {
        let Some(width) = self.width else { return Ok(picture::DEFAULT_WIDTH) };
        let (min, max) = (picture::WIDTHS.start(), picture::WIDTHS.end());
        ensure!(picture::WIDTHS.contains(&width), "--width is {width}: expected {min} to {max}");
        ensure!(
            matches!(format, Format::Svg | Format::Png),
            "--width does not apply to {}, whose size is fixed",
            format.name()
        );
        Ok(width)
    }

    /// Returns the pictures to draw: a single picture, or the frames of an animation.
    fn pictures(&self, format: Format) -> Result<Vec<Picture>> {
        match self.source()? {
            Source::Position(position) => {
                ensure!(self.ply.is_none(), "--ply applies to a game, and the input is a position");
                ensure!(self.game == 1, "--game applies to a file of games, and the input is a position");
                let picture = Picture::of(&position);
                Ok(vec![match self.mv {
                    Some(mv) => picture.with_move(mv),
                    None => picture,
                }])
            }
            Source::Game(playback) => {
                ensure!(self.mv.is_none(), "--move applies to a position, and the input is a game");
                let picture::Scenes { plies: mut scenes, decisive } = picture::scenes_of_game(&playback);
                let plies = scenes.len() - 1;
                let ply = self.ply.unwrap_or(plies);
                let noun = if plies == 1 { "ply" } else { "plies" };
                ensure!(ply <= plies, "--ply is {ply}, and the game has {plies} {noun}");
                scenes.truncate(ply + 1);
                Ok(match (format, self.ply) {
                    (Format::Gif, _) => scenes,
                    (_, None) => vec![decisive],
                    (_, Some(ply)) => scenes.split_off(ply),
                })
            }
        }
    }

    fn source(&self) -> Result<Source> {
        match &self.position {
            Some(text) => Source::of_position(text, self.variant),
            None => Source::read(&self.input, self.from, self.variant, self.game, self.partial),
        }
    }

    /// Turns a picture by `--bottom`.
    fn with_view(&self, picture: Picture) -> Result<Picture> {
        let Some(color) = self.bottom else { return Ok(picture) };
        let variant = picture.variant;
        ensure!(variant.colors().contains(&color), "--bottom is {color}, which {variant} does not have");
        Ok(picture.seen_by(color))
    }
}
