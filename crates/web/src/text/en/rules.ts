import type { ChapterName, LessonName } from '../rules-names.ts';

/** The text of a chapter: its paragraphs, and a list that follows them. */
interface Chapter {
  readonly title: string;
  readonly text: readonly string[];
  readonly list?: readonly string[];
}

/** The text beside a lesson's board. */
export interface LessonWords {
  readonly title: string;
  /** The description of each step. */
  readonly captions: readonly string[];
  /** The reader's task at a step, if there is one. */
  readonly tasks?: Readonly<Partial<Record<number, string>>>;
}

/** The page that explains the rules. */
export const rules = {
  title: 'The rules',
  tagline: 'Chess for four on a cross, as it came with the Dilkel Checkmates set of 1987. If you know how the pieces move, you know most of it.',
  contents: 'On this page',
  step: (step: number, all: number) => `Step ${step} of ${all}`,
  back: 'Back',
  next: 'Next',
  startOver: 'Start over',
  showMe: 'Show me',
  right: 'Right.',
  legalButWrong: 'Legal, but not what we are looking for. Try again.',
  tryOnAnalysisBoard: 'Try it yourself on the analysis board',
  pieceHeading: 'Piece',
  worthHeading: 'Worth about',

  chapters: {
    game: {
      title: 'The game',
      text: [
        'Four armies stand around one board: Red in the south, Blue in the west, Yellow in the north, Green in the east. Everyone plays against the three others. There are no partners.',
        'The first player is drawn at random. After that play goes clockwise, one move each. A player who is mated, resigns or runs out of time is eliminated, and the whole army leaves the board. The last player left wins.',
        'The board is fourteen by fourteen squares without its four corners. A missing corner is an edge like any other.',
      ],
    },
    pieces: {
      title: 'How the pieces move',
      text: [
        'The pieces move as in ordinary chess; the board is just larger and has more edges. You may capture pieces of any of the three others.',
        'A king is never captured. You may not leave your own king in check, whoever attacks it.',
      ],
    },
    pawns: {
      title: 'Pawns',
      text: [
        'Your pawns move straight away from your side of the board: red ones up, blue ones to the right, yellow ones down, green ones to the left. They capture one square diagonally forward. From its starting square, a pawn may advance two squares.',
        'A pawn that reaches the back rank of any of the three others is promoted at once. You can always choose a queen. A rook, bishop or knight must come from your reserve: your own captured pieces. With an empty reserve, it becomes a queen.',
        'En passant works between opposite players only: Red and Yellow, Blue and Green. The player in between moves first and may prevent it.',
      ],
    },
    castling: {
      title: 'Castling',
      text: [
        'Your queen always stands to the right of your king. So you castle short to the left, with two squares between king and rook, and long to the right, with three.',
        'The king moves two squares toward the rook, and the rook goes to the square that the king crossed. Neither may have moved, nothing may stand between them, and the king may not be in check, and may not cross or reach an attacked square.',
      ],
    },
    check: {
      title: 'Check and mate',
      text: [
        'A king may be attacked by several players at once, and several kings may be in check at the same time. Everyone sees it beside the players’ names; only the player to move must respond.',
        'Mate is decided when the mated player’s turn comes, not before. Until then the others may help, on purpose or not. A player who is mated then is eliminated: all its pieces leave, and the next player faces the board as it is then. So one mate may lead to another, or end a check.',
      ],
    },
    end: {
      title: 'How it ends',
      text: [
        'The last player left takes first place; the others follow in reverse order of elimination.',
        'If the player to move has no legal move and is not in check, that is stalemate, and the whole game is drawn for all remaining players. They share the best place left. Be careful with a player who has little but the king.',
        'The game is also drawn when all agree, when no one can mate any more, when a position occurs for the third time, or after 50 moves by each player without a pawn move, a capture or an elimination. The last two are claimed by the player to move, or happen automatically if the table is set so.',
        'Resigning and running out of time take effect at once, whoever’s turn it is.',
      ],
    },
    hints: {
      title: 'For your first matches',
      text: [
        'Bishops and queens see far on this board. A bishop on a long diagonal aims at two other camps, and knights take a long time to get anywhere: the values of the pieces shift a little.',
      ],
      list: [
        'Three opponents move before you do again. Before you move, ask yourself what each of the three could do to that square.',
        'Do not be the first to trade queens: two players lose something, and the other two gain.',
        'Watch the player on your left, who moves right after you: you are the last to answer.',
        'Keep some pawns in front of your king. Attacks come along the ranks of your neighbors too.',
        'A quiet army lives long. The player who has just been fighting is the next target.',
        'A captured rook is not gone: a pawn that reaches the far side brings it back.',
      ],
    },
    classic: {
      title: 'Classic chess',
      text: [
        'Quadrex plays chess for two as well, by the rules everyone knows: White begins, a pawn on the last rank becomes a queen, rook, bishop or knight of your choice, checkmate ends the game, and stalemate is a draw.',
      ],
    },
    source: {
      title: 'Where the rules come from',
      text: [
        'The game for four follows the rule sheet of Dilkel Checkmates 150 from 1987. Where the sheet is silent, we followed other sheets of its time and the laws of chess, and wrote down what we decided. Dilkel compact is the same game on a smaller cross of 128 squares.',
      ],
    },
  } satisfies Record<ChapterName, Chapter> as Record<ChapterName, Chapter>,

  lessons: {
    start: {
      title: 'The start',
      tasks: { 0: 'Move the pawn in front of Red’s queen two squares.' },
      captions: [
        'In each army the queen stands to the right of the king. A quarter turn of the board changes nothing.',
        'Red begins here, with a pawn move of two squares.',
        'Play goes clockwise: Blue is next.',
        'Then Yellow.',
        'Then Green, and Red again.',
      ],
    },
    pieces: {
      title: 'Five pieces',
      captions: [
        'The rook moves along ranks and files until something is in the way.',
        'The bishop moves along diagonals. It cannot pass through a missing corner.',
        'The queen does both.',
        'The knight jumps: two squares one way and one to the side. It may jump over a missing corner, but not into it.',
        'The king moves one square, never to an attacked one.',
      ],
    },
    pawns: {
      title: 'A pawn’s path',
      tasks: { 0: 'Advance two squares.', 2: 'Capture the yellow pawn.' },
      captions: [
        'From its starting square, a pawn may advance one square or two.',
        'It advanced two.',
        'Now it may continue straight ahead, or capture diagonally.',
        'It captures. Pawns never capture what is in front of them.',
      ],
    },
    promotion: {
      title: 'Promotion from the reserve',
      tasks: { 0: 'Capture the rook and promote to a knight.' },
      captions: [
        'The red pawn is one step from Blue’s back rank: it may capture the rook in the corner. Red has lost a bishop and a knight.',
        'It captures the rook and becomes a knight, which leaves the reserve. A queen was possible too; a rook was not, since Red has not lost one.',
        'Blue’s king steps out of the way. The blue rook is in Blue’s reserve now, until a blue pawn brings it back.',
      ],
    },
    'en-passant': {
      title: 'En passant',
      tasks: { 2: 'Capture the red pawn en passant.' },
      captions: [
        'The red pawn is about to advance two squares, past squares that blue and yellow pawns attack.',
        'Blue is next. Its pawn attacks the square that was passed, but Blue is Red’s neighbor: it may not capture en passant.',
        'Yellow sits opposite. Its pawn may move to the square that was passed and capture the red pawn, now or never.',
        'Captured en passant.',
      ],
    },
    check: {
      title: 'Check from two players',
      tasks: { 3: 'Get Red’s king out of both checks.' },
      captions: [
        'The red king stands in the open, and Blue is to move.',
        'Blue’s rook gives check. It is not Red’s turn yet.',
        'Yellow plays elsewhere.',
        'Green’s bishop gives check too. Now Red must escape both at once: four squares are left.',
        'Done.',
      ],
    },
    saved: {
      title: 'Saved by another',
      tasks: { 0: 'Give check to the yellow king with the rook on j6.', 1: 'You are Blue: save the yellow king with your bishop, on d9.' },
      captions: [
        'Red is about to give check to the yellow king in the corner of its arm.',
        'Yellow could not escape. But Blue comes first: a bishop goes between.',
        'Yellow’s turn has come, and it is not in check. It even has a move.',
        'The game continues.',
      ],
    },
    mate: {
      title: 'Mated and eliminated',
      tasks: { 0: 'Give check with the rook on j6.' },
      captions: [
        'The same position. Red will give the same check.',
        'Yellow cannot escape, but its turn has not come: it is still in the game.',
        'Blue did nothing about it. Yellow’s turn came, it was mated, and its army is gone. Green is to move.',
      ],
    },
    stalemate: {
      title: 'No move left',
      tasks: { 0: 'Take away all of Yellow’s squares with the queen, without giving check.' },
      captions: [
        'Yellow has nothing but its king.',
        'Red’s queen takes away all its squares, without giving check.',
        'Yellow’s turn has come. It has no move and is not in check: the whole game is drawn, for all four.',
      ],
    },
    castling: {
      title: 'Short and long',
      tasks: { 0: 'Castle short: two squares to the left.' },
      captions: ['Both sides are possible: two squares to the left, two to the right.', 'Castled short.'],
    },
    classic: {
      title: 'A short game',
      tasks: { 0: 'Move the pawn in front of White’s king two squares.', 2: 'Bring the queen out to h5.', 4: 'Aim the bishop at f7, like the queen.', 6: 'Mate in one.' },
      captions: [
        'The standard start position.',
        'White begins.',
        'Black answers.',
        'An early queen.',
        'Black develops a knight.',
        'A bishop joins the queen. Both aim at the pawn beside the king.',
        'Black attacks the queen and overlooks something.',
        'Checkmate: the king cannot capture, because the bishop protects the queen.',
      ],
    },
  } satisfies Record<LessonName, LessonWords>,
};
