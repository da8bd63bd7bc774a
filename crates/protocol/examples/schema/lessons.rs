//! Boards for the client's page about the rules. The rules crate computes every result from a
//! position and moves, so the page never shows a move that a table would refuse.

use std::collections::BTreeMap;

use quadrex_protocol::PieceCode;
use quadrex_protocol::view::{BoardView, ReserveView};
use quadrex_rules::{
    AnyPosition, Color, DrawPolicy, Game, GameCommand, GameConfig, Move, Reserve, Setup, Square, TimeControl,
    Timestamp, Variant, notation,
};
use serde::{Deserialize, Serialize};

/// The lessons as authored: a position and the steps taken on it.
const LESSONS: &str = include_str!("../../../web/src/view/rules/lessons.json");

#[derive(Deserialize)]
struct Lesson {
    name: String,
    variant: Variant,
    setup: String,
    steps: Vec<Step>,
}

/// A step of a lesson: an optional move, then an optional square whose moves are shown.
#[derive(Deserialize)]
struct Step {
    #[serde(rename = "move")]
    mv: Option<Move>,
    /// The square to show legal moves for.
    show: Option<Square>,
    /// The learner's task for this move; without one, the page plays the move itself.
    task: Option<Task>,
}

/// The moves that solve a learner's task.
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Task {
    /// Only the move of the lesson.
    The,
    /// Any legal move.
    Any,
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
    /// The colors whose king is attacked.
    checks: Vec<Color>,
    /// The eliminated colors.
    out: Vec<Color>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<Moved>,
    #[serde(skip_serializing_if = "Option::is_none")]
    show: Option<Look>,
    /// The learner's next move, if the next step is a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Next>,
}

/// A move for the learner to make.
#[derive(Serialize)]
struct Next {
    task: Task,
    mv: Move,
    /// All legal moves.
    legal: Vec<Move>,
    /// The pieces that the player to move may promote to; absent in two-player variants.
    #[serde(skip_serializing_if = "Option::is_none")]
    reserve: Option<ReserveView>,
}

#[derive(Serialize)]
struct Moved {
    color: Color,
    from: Square,
    to: Square,
    text: String,
}

/// A square and the squares that its piece may move to.
#[derive(Serialize)]
struct Look {
    square: Square,
    targets: Vec<Square>,
}

/// Returns the text of the TypeScript file from which the client reads the lessons.
pub(crate) fn typescript() -> String {
    let lessons: Vec<Lesson> =
        serde_json::from_str(LESSONS).expect("lessons.json has the shape of these types");
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
    let ahead: Vec<Option<(Task, Move)>> = steps.iter().skip(1).map(|step| step.task.zip(step.mv)).collect();
    let ahead = ahead.into_iter().chain([None]);
    let frames =
        steps.into_iter().zip(ahead).map(|(step, next)| frame(&mut game, step, next, &name)).collect();
    Shown {
        board: BoardView::of(variant),
        colors: variant.colors().to_vec(),
        name,
        variant,
        fen: setup,
        frames,
    }
}

fn frame(game: &mut Game, Step { mv, show, .. }: Step, next: Option<(Task, Move)>, lesson: &str) -> Frame {
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
        next: next.map(|(task, mv)| Next {
            task,
            mv,
            legal: position.legal_moves(),
            reserve: reserve(position),
        }),
    }
}

fn reserve(position: &AnyPosition) -> Option<ReserveView> {
    let Reserve { rooks, bishops, knights } = position.reserve(position.turn());
    (position.variant().player_count() > 2).then_some(ReserveView { rooks, bishops, knights })
}

fn look(position: &AnyPosition, square: Square) -> Look {
    let moves = position.moves_from(square);
    let mut targets: Vec<Square> = moves.iter().map(|mv| mv.to).collect();
    targets.dedup();
    Look { square, targets }
}
