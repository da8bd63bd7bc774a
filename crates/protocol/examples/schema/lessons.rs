//! The boards of the client's page about the rules: what comes of a position and moves is the rules' to say, so that the
//! page shows nothing that a table would refuse.

use std::collections::BTreeMap;

use quadrex_protocol::PieceCode;
use quadrex_protocol::view::BoardView;
use quadrex_rules::{
    AnyPosition, Color, DrawPolicy, Game, GameCommand, GameConfig, Move, Role, Setup, Square, TimeControl,
    Timestamp, Variant, notation,
};
use serde::{Deserialize, Serialize};

/// The lessons as they are written: a position, and what is done on it.
const LESSONS: &str = include_str!("../../../web/src/view/rules/lessons.json");

#[derive(Deserialize)]
struct Lesson {
    name: String,
    variant: Variant,
    setup: String,
    steps: Vec<Step>,
}

/// What is done, then what is looked at.
#[derive(Deserialize)]
struct Step {
    #[serde(rename = "move")]
    mv: Option<Move>,
    /// The square whose legal moves are shown.
    show: Option<Square>,
}

#[derive(Serialize)]
struct Shown {
    name: String,
    variant: Variant,
    board: BoardView,
    colors: Vec<Color>,
    fen: String,
    frames: Vec<Frame>,
}

/// The board after a step.
#[derive(Serialize)]
struct Frame {
    pieces: BTreeMap<Square, PieceCode>,
    /// `null` once the game is over.
    turn: Option<Color>,
    /// Whose kings are attacked.
    checks: Vec<Color>,
    /// Who is out.
    out: Vec<Color>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<Moved>,
    #[serde(skip_serializing_if = "Option::is_none")]
    show: Option<Look>,
}

#[derive(Serialize)]
struct Moved {
    color: Color,
    from: Square,
    to: Square,
    text: String,
}

/// A square and where what stands there may go; for a pawn about to be promoted, what it may become.
#[derive(Serialize)]
struct Look {
    square: Square,
    targets: Vec<Square>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    promotions: Vec<char>,
}

/// The file that the client reads them from.
pub(crate) fn typescript() -> String {
    let lessons: Vec<Lesson> = serde_json::from_str(LESSONS).expect("lessons.json has the shape told here");
    let mut text = String::from(
        "// Made by `cargo xtask gen` from lessons.json; do not edit.\n\n\
         import type { Lesson } from './lesson.ts';\n\n\
         /** All lessons, in their order. */\n\
         export const lessons: readonly Lesson[] = [\n",
    );
    for lesson in lessons {
        let shown = serde_json::to_string(&shown(lesson)).expect("names and numbers can be written");
        text.push_str(&shown);
        text.push_str(",\n");
    }
    text.push_str("];\n");
    text
}

fn shown(lesson: Lesson) -> Shown {
    let Lesson { name, variant, setup, steps } = lesson;
    let position = Setup::parse(variant, &setup).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let config = GameConfig { setup: position, draws: DrawPolicy::Claim, time: TimeControl::None };
    let mut game =
        Game::new(config, Timestamp::from_millis(0)).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let frames = steps.into_iter().map(|step| frame(&mut game, step, &name)).collect();
    Shown {
        board: BoardView::of(variant),
        colors: variant.colors().to_vec(),
        name,
        variant,
        fen: setup,
        frames,
    }
}

fn frame(game: &mut Game, Step { mv, show }: Step, lesson: &str) -> Frame {
    let moved = mv.map(|mv| {
        let color = game.position().turn();
        let text = notation::move_text(game.position(), mv);
        let command = GameCommand::Move { color, mv, claim_draw: false };
        let events = game
            .decide(&command, Timestamp::from_millis(0))
            .unwrap_or_else(|refusal| panic!("{lesson}: {mv}: {refusal}"));
        for event in &events {
            game.apply(event, Timestamp::from_millis(0));
        }
        Moved { color, from: mv.from, to: mv.to, text }
    });
    let position = game.position();
    Frame {
        pieces: position.pieces().map(|(square, piece)| (square, PieceCode::from(piece))).collect(),
        turn: (!game.is_over()).then(|| position.turn()),
        checks: position.checks().collect(),
        out: game.eliminated().iter().map(|elimination| elimination.color).collect(),
        moved,
        show: show.map(|square| look(position, square)),
    }
}

fn look(position: &AnyPosition, square: Square) -> Look {
    let moves = position.moves_from(square);
    let mut targets: Vec<Square> = moves.iter().map(|mv| mv.to).collect();
    targets.dedup();
    let become_one = |role: &Role| moves.iter().any(|mv| mv.promotion == Some(*role));
    let promotions = Role::ALL.into_iter().filter(become_one).map(Role::letter).collect();
    Look { square, targets, promotions }
}
