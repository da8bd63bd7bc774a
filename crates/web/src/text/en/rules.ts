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
        'The first player is drawn at random. From there the turn goes clockwise, one move each. A player who is mated, gives up or runs out of time is out, and the whole army leaves the board. Whoever is left last has won.',
        'The board has fourteen by fourteen squares without its four corners. A missing corner is an edge like any other.',
      ],
    },
    pieces: {
      title: 'How the pieces move',
      text: [
        'The pieces move as in every game of chess, only the board is larger and has more edges. Whatever you may capture may belong to any of the three others.',
        'A king is never captured. You may not leave your own king in check, whoever attacks it.',
      ],
    },
    pawns: {
      title: 'Pawns',
      text: [
        'Your pawns walk straight away from your side of the board: red ones up, blue ones to the right, yellow ones down, green ones to the left. They capture one square diagonally forward. From the square where it began a pawn may take two steps.',
        'A pawn that reaches any of the three other baselines is promoted at once. You can always choose a queen. A rook, bishop or knight must come from your reserve: your own captured pieces. With an empty reserve, it becomes a queen.',
        'En passant works between opposite players only: Red and Yellow, Blue and Green. The player in between has a move first, and may spoil it.',
      ],
    },
    castling: {
      title: 'Castling',
      text: [
        'Your queen always stands to the right of your king. So the short way is to the left, with two squares between king and rook, and the long way to the right, with three.',
        'The king goes two squares towards the rook, and the rook to the square the king has passed. Neither may have moved, nothing may stand between them, and the king may not be in check, nor pass or reach a square that anybody attacks.',
      ],
    },
    check: {
      title: 'Check and mate',
      text: [
        'A king may be attacked by several players at once, and several kings may be in check at the same time. Everybody sees it at the seats; only who is to move must do something about it.',
        'Mate is judged when the turn of the mated player has come, and not before. Until then the others may help, on purpose or not. Who is mated then is out: all its pieces leave, and the next player is judged on the board as that left it. So one mate may bring about another, or end a check.',
      ],
    },
    end: {
      title: 'How it ends',
      text: [
        'The last player left is first; the others follow in the reverse order of their going out.',
        'If the player to move has no legal move and is not in check, the whole game is drawn among all who are still in. They share the best place left. Be careful with a player who has little but the king.',
        'It is also drawn when all agree, when nobody can mate any more, when a position comes for the third time, or after 50 moves each without a pawn move, a capture or somebody going out. The last two are claimed by the player to move, or come by themselves where the table says so.',
        'Resigning and running out of time take effect at once, on anyone’s turn.',
      ],
    },
    hints: {
      title: 'For your first matches',
      text: [
        'Bishops and queens see far on this board. A bishop on a long diagonal looks into two other camps, and knights take long to get anywhere: what the pieces are worth shifts a little.',
      ],
      list: [
        'Three opponents move before you do again. Before you let go of a piece, ask for each of the three what it could do with that square.',
        'Do not be the first to trade queens: two players lose something, and the other two are glad.',
        'Look at the player on your left. It moves right after you, and you answer last to what it does.',
        'Keep some pawns in front of your king. Attacks come along the ranks of your neighbors too.',
        'A quiet army lives long. Who has been fighting is the one the others turn on next.',
        'A captured rook is not gone: a pawn that reaches the far side brings it back.',
      ],
    },
    classic: {
      title: 'Classic chess',
      text: [
        'Quadrex plays chess for two as well, by the rules everybody knows: White begins, a pawn that arrives becomes a queen, rook, bishop or knight at choice, a mated king ends the game, and a player who cannot move without being in check has a draw.',
      ],
    },
    source: {
      title: 'Where the rules come from',
      text: [
        'The game for four follows the sheet that came with Dilkel Checkmates 150 in 1987. Where the sheet is silent we asked other sheets of its time and the laws of chess, and wrote down what we decided. Dilkel compact is the same game on a smaller cross of 128 squares.',
      ],
    },
  } satisfies Record<ChapterName, Chapter> as Record<ChapterName, Chapter>,

  lessons: {
    start: {
      title: 'The start',
      tasks: { 0: 'Move the pawn before Red’s queen two steps.' },
      captions: [
        'Each army stands with its queen to the right of its king. A quarter turn of the board changes nothing.',
        'Red begins here, with two steps of a pawn.',
        'The turn goes clockwise: Blue comes next.',
        'Then Yellow.',
        'Then Green, and Red again.',
      ],
    },
    pieces: {
      title: 'Five pieces',
      captions: [
        'The rook goes along ranks and files, as far as nothing stands in the way.',
        'The bishop goes along diagonals. It cannot slide through a missing corner.',
        'The queen does both.',
        'The knight leaps: two squares one way and one across. It may leap over a missing corner, but not into it.',
        'The king goes one square, never to one that anybody attacks.',
      ],
    },
    pawns: {
      title: 'A pawn’s walk',
      tasks: { 0: 'Take the two steps.', 2: 'Capture the yellow pawn.' },
      captions: [
        'From where it began, a pawn may take one step or two.',
        'It took two.',
        'Now it may go on straight ahead, or capture on the diagonal.',
        'It captures: pawns never capture what stands in front of them.',
      ],
    },
    promotion: {
      title: 'Promotion from the reserve',
      tasks: { 0: 'Take the rook, and let the pawn become a knight.' },
      captions: [
        'The red pawn is one step from Blue’s baseline: it may capture the rook in the corner. Red has lost a bishop and a knight.',
        'It takes the rook and becomes a knight, which leaves the reserve. A queen was possible too; a rook was not, since Red has lost none.',
        'Blue’s king steps out of the way. The blue rook is in Blue’s reserve now, until a blue pawn fetches it.',
      ],
    },
    'en-passant': {
      title: 'En passant',
      tasks: { 2: 'Capture the red pawn en passant.' },
      captions: [
        'The red pawn is about to take two steps, past squares that blue and yellow pawns attack.',
        'Blue comes next. Its pawn attacks the square that was passed, but Blue is Red’s neighbor: it may not capture en passant.',
        'Yellow sits opposite. Its pawn may go to the square that was passed and take the red pawn, now or never.',
        'Captured en passant.',
      ],
    },
    check: {
      title: 'Check from two players',
      tasks: { 3: 'Get Red’s king out of both checks.' },
      captions: [
        'The red king stands in the open, and Blue is to move.',
        'Blue’s rook gives check. It is not Red’s turn yet.',
        'Yellow has other things to do.',
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
        'It goes on.',
      ],
    },
    mate: {
      title: 'Mated and out',
      tasks: { 0: 'Give check with the rook on j6.' },
      captions: [
        'The same position. Red will give the same check.',
        'Yellow cannot escape, but its turn has not come: it is still in.',
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
      tasks: { 0: 'Castle the short way: two squares to the left.' },
      captions: ['Both ways are open: two squares to the left, two to the right.', 'The short way.'],
    },
    classic: {
      title: 'A short game',
      tasks: { 0: 'Move the pawn before White’s king two steps.', 2: 'Bring the queen out to h5.', 4: 'Let the bishop look at f7, as the queen does.', 6: 'Mate in one.' },
      captions: [
        'The standard start position.',
        'White begins.',
        'Black answers.',
        'An early queen.',
        'Black develops a knight.',
        'A bishop joins the queen. Both look at the pawn beside the king.',
        'Black attacks the queen, and overlooks something.',
        'Mate: the king cannot capture, since the bishop guards the queen.',
      ],
    },
  } satisfies Record<LessonName, LessonWords>,
};
