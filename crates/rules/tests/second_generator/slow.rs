//! A second, slow generator of all variants: a grid of letters, every rule in its plainest form,
//! legality by trial. It shares neither types nor arithmetic with the crate, and exchanges only
//! text with it.

/// Files and ranks from 0.
type Spot = (i32, i32);

/// A pawn after a double step: the passed spot and its own.
type Passed = (Spot, Spot);

#[derive(Clone)]
pub(crate) struct Slow {
    pub(crate) size: i32,
    cut: i32,
    /// Owner and letter of each piece, by `[file][rank]`.
    grid: Vec<Vec<Option<(usize, char)>>>,
    pub(crate) seats: usize,
    pub(crate) turn: usize,
    pub(crate) alive: Vec<bool>,
    /// By seat: the rooks of short and long castling.
    castle: Vec<[Option<Spot>; 2]>,
    passed: Vec<Option<Passed>>,
    /// By seat: bishops, knights, rooks.
    reserve: Vec<[u32; 3]>,
    clock: u32,
}

/// The kind of a move; for counting the kinds that a run has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Quiet,
    Capture,
    DoubleStep,
    EnPassant,
    Short,
    Long,
    Queened,
    Underpromoted,
}

const ROOK: [Spot; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: [Spot; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [Spot; 8] = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)];

impl Slow {
    /// Parses a FEN (8 ranks; nothing pending) or FEN4 (12 or 14 ranks).
    pub(crate) fn read(text: &str) -> Slow {
        if text.contains(' ') { Slow::read_fen(text) } else { Slow::read_fen4(text) }
    }

    fn empty(size: i32, cut: i32, seats: usize, turn: usize) -> Slow {
        Slow {
            size,
            cut,
            grid: vec![vec![None; size as usize]; size as usize],
            seats,
            turn,
            alive: vec![true; seats],
            castle: vec![[None; 2]; seats],
            passed: vec![None; seats],
            reserve: vec![[0; 3]; seats],
            clock: 0,
        }
    }

    fn read_fen(text: &str) -> Slow {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut slow = Slow::empty(8, 0, 2, usize::from(fields[1] == "b"));
        for (row, line) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in line.chars() {
                match letter.to_digit(10) {
                    Some(run) => file += run as i32,
                    None => {
                        let owner = usize::from(letter.is_lowercase());
                        slow.put((file, 7 - row as i32), Some((owner, letter.to_ascii_uppercase())));
                        file += 1;
                    }
                }
            }
        }
        for letter in fields[2].chars().filter(|letter| *letter != '-') {
            let rank = if letter.is_uppercase() { 0 } else { 7 };
            let (side, file) = if letter.eq_ignore_ascii_case(&'k') { (0, 7) } else { (1, 0) };
            slow.castle[usize::from(letter.is_lowercase())][side] = Some((file, rank));
        }
        slow
    }

    fn read_fen4(text: &str) -> Slow {
        let fields: Vec<&str> = text.split('-').collect();
        let lines: Vec<&str> = fields[fields.len() - 1].split('/').collect();
        let size = lines.len() as i32;
        let turn = "RBYG".find(fields[0]).expect("a seat's letter");
        let mut slow = Slow::empty(size, if size == 14 { 3 } else { 2 }, 4, turn);
        for (row, line) in lines.iter().enumerate() {
            let mut file = 0;
            for token in line.split(',') {
                match token.parse::<i32>() {
                    Ok(run) => file += run,
                    Err(_) => {
                        let mut letters = token.chars();
                        let owner = letters.next().and_then(|letter| "rbyg".find(letter));
                        let role = letters.next().expect("a piece's letter");
                        slow.put((file, size - 1 - row as i32), Some((owner.expect("an owner"), role)));
                        file += 1;
                    }
                }
            }
        }
        for (seat, flag) in fields[1].split(',').enumerate() {
            slow.alive[seat] = flag == "0";
        }
        slow.clock = fields[5].parse().expect("a count");
        for (side, gap) in [(0, 3), (1, 4)] {
            for (seat, flag) in fields[2 + side].split(',').enumerate() {
                if flag == "1" {
                    slow.castle[seat][side] = Some(slow.only_rook_at(seat, gap));
                }
            }
        }
        for (seat, letters) in option(text, "reserve").into_iter().enumerate() {
            for (kind, wanted) in ['B', 'N', 'R'].into_iter().enumerate() {
                slow.reserve[seat][kind] = letters.matches(wanted).count() as u32;
            }
        }
        for (seat, step) in option(text, "enPassant").into_iter().enumerate() {
            slow.passed[seat] = step.split_once(':').map(|(passed, pawn)| (spot(passed).0, spot(pawn).0));
        }
        slow
    }

    fn only_rook_at(&self, seat: usize, gap: i32) -> Spot {
        let king = self.king(seat);
        let along = if seat.is_multiple_of(2) { (1, 0) } else { (0, 1) };
        let spots = [-gap, gap].map(|by| (king.0 + by * along.0, king.1 + by * along.1));
        let rooks: Vec<Spot> = spots.into_iter().filter(|spot| self.at(*spot) == Some((seat, 'R'))).collect();
        assert_eq!(rooks.len(), 1, "the slow reader wants one rook for a right");
        rooks[0]
    }

    fn on_board(&self, spot: Spot) -> bool {
        let outer = |x: i32| x < self.cut || x >= self.size - self.cut;
        let inside = |x: i32| (0..self.size).contains(&x);
        inside(spot.0) && inside(spot.1) && !(outer(spot.0) && outer(spot.1))
    }

    fn at(&self, spot: Spot) -> Option<(usize, char)> {
        if self.on_board(spot) { self.grid[spot.0 as usize][spot.1 as usize] } else { None }
    }

    fn put(&mut self, spot: Spot, piece: Option<(usize, char)>) {
        self.grid[spot.0 as usize][spot.1 as usize] = piece;
    }

    fn spots(&self) -> Vec<Spot> {
        let mut spots = Vec::new();
        for file in 0..self.size {
            for rank in 0..self.size {
                spots.push((file, rank));
            }
        }
        spots
    }

    fn king(&self, seat: usize) -> Spot {
        self.spots().into_iter().find(|spot| self.at(*spot) == Some((seat, 'K'))).expect("a king")
    }

    fn forward(&self, seat: usize) -> Spot {
        if self.seats == 2 { [(0, 1), (0, -1)][seat] } else { [(0, 1), (1, 0), (0, -1), (-1, 0)][seat] }
    }

    /// Returns the number of rows from a seat's own baseline.
    fn depth(&self, seat: usize, spot: Spot) -> i32 {
        match self.forward(seat) {
            (0, 1) => spot.1,
            (1, 0) => spot.0,
            (0, -1) => self.size - 1 - spot.1,
            _ => self.size - 1 - spot.0,
        }
    }

    fn across(&self, seat: usize) -> usize {
        (seat + self.seats / 2) % self.seats
    }

    fn in_arm(&self, seat: usize, spot: Spot) -> bool {
        let along = if self.forward(seat).0 == 0 { spot.0 } else { spot.1 };
        along >= self.cut && along < self.size - self.cut
    }

    fn promotes(&self, seat: usize, spot: Spot) -> bool {
        (0..self.seats).any(|other| other != seat && self.depth(other, spot) == 0 && self.in_arm(other, spot))
    }

    fn pawn_captures(&self, seat: usize, from: Spot) -> [Spot; 2] {
        let (dx, dy) = self.forward(seat);
        [(from.0 + dx + dy, from.1 + dy + dx), (from.0 + dx - dy, from.1 + dy - dx)]
    }

    /// Returns every spot that a piece attacks.
    fn attacks(&self, from: Spot) -> Vec<Spot> {
        let Some((seat, role)) = self.at(from) else { return Vec::new() };
        let mut spots = Vec::new();
        let mut go = |steps: &[Spot], far: bool| {
            for (dx, dy) in steps {
                let mut spot = (from.0 + dx, from.1 + dy);
                while self.on_board(spot) {
                    spots.push(spot);
                    if !far || self.at(spot).is_some() {
                        break;
                    }
                    spot = (spot.0 + dx, spot.1 + dy);
                }
            }
        };
        match role {
            'N' => go(&LEAPS, false),
            'K' => [ROOK, BISHOP].iter().for_each(|steps| go(steps, false)),
            'R' => go(&ROOK, true),
            'B' => go(&BISHOP, true),
            'Q' => [ROOK, BISHOP].iter().for_each(|steps| go(steps, true)),
            _ => spots.extend(self.pawn_captures(seat, from).into_iter().filter(|spot| self.on_board(*spot))),
        }
        spots
    }

    fn attacked(&self, seat: usize, spot: Spot) -> bool {
        self.spots().into_iter().any(|from| {
            self.at(from).is_some_and(|(other, _)| other != seat) && self.attacks(from).contains(&spot)
        })
    }

    pub(crate) fn in_check(&self, seat: usize) -> bool {
        self.alive[seat] && self.attacked(seat, self.king(seat))
    }

    /// Returns every legal move as text, sorted.
    pub(crate) fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in self.spots() {
            if self.at(from).is_some_and(|(seat, _)| seat == self.turn) {
                self.moves_of(from, &mut moves);
            }
        }
        moves.retain(|mv| {
            let mut after = self.clone();
            after.shift(mv);
            !after.attacked(self.turn, after.king(self.turn))
        });
        moves.sort();
        moves
    }

    fn moves_of(&self, from: Spot, moves: &mut Vec<String>) {
        let seat = self.turn;
        let (_, role) = self.at(from).expect("a piece to move");
        if role == 'P' {
            return self.pawn_moves(from, moves);
        }
        for to in self.attacks(from) {
            if self.at(to).is_none_or(|(other, role)| other != seat && role != 'K') {
                moves.push(format!("{}{}", name(from), name(to)));
            }
        }
        if role == 'K' && !self.in_check(seat) {
            for rook in self.castle[seat].into_iter().flatten() {
                let step = ((rook.0 - from.0).signum(), (rook.1 - from.1).signum());
                let crossed = (from.0 + step.0, from.1 + step.1);
                let reached = (crossed.0 + step.0, crossed.1 + step.1);
                let mut between = crossed;
                let mut empty = true;
                while between != rook {
                    empty &= self.at(between).is_none();
                    between = (between.0 + step.0, between.1 + step.1);
                }
                if empty && !self.attacked(seat, crossed) && !self.attacked(seat, reached) {
                    moves.push(format!("{}{}", name(from), name(reached)));
                }
            }
        }
    }

    fn pawn_moves(&self, from: Spot, moves: &mut Vec<String>) {
        let seat = self.turn;
        let (dx, dy) = self.forward(seat);
        let one = (from.0 + dx, from.1 + dy);
        let two = (one.0 + dx, one.1 + dy);
        let mut targets = Vec::new();
        if self.on_board(one) && self.at(one).is_none() {
            targets.push(one);
            if self.depth(seat, from) == 1 && self.at(two).is_none() {
                targets.push(two);
            }
        }
        for to in self.pawn_captures(seat, from) {
            let takes = self.at(to).is_some_and(|(other, role)| other != seat && role != 'K');
            let passes = self.passed[self.across(seat)].is_some_and(|(passed, _)| passed == to);
            if takes || passes && self.at(to).is_none() {
                targets.push(to);
            }
        }
        for to in targets {
            let mv = format!("{}{}", name(from), name(to));
            if !self.promotes(seat, to) {
                moves.push(mv);
                continue;
            }
            moves.push(format!("{mv}q"));
            for (kind, letter) in ['b', 'n', 'r'].into_iter().enumerate() {
                if self.seats == 2 || self.reserve[seat][kind] > 0 {
                    moves.push(format!("{mv}{letter}"));
                }
            }
        }
    }

    /// Moves the pieces of one move, and returns its kind.
    fn shift(&mut self, mv: &str) -> Kind {
        let (from, to, becomes) = spots_of(mv);
        let (seat, role) = self.at(from).expect("a piece to move");
        let mut kind = if self.at(to).is_some() { Kind::Capture } else { Kind::Quiet };
        let gone = (to.0 - from.0).abs() + (to.1 - from.1).abs();
        if role == 'P' && gone == 2 && kind == Kind::Quiet {
            if from.0 == to.0 || from.1 == to.1 {
                kind = Kind::DoubleStep;
            } else {
                let (_, pawn) = self.passed[self.across(seat)].expect("a pawn to take in passing");
                self.put(pawn, None);
                kind = Kind::EnPassant;
            }
        }
        if role == 'K' && gone == 2 && (from.0 == to.0 || from.1 == to.1) {
            let crossed = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
            let step = (crossed.0 - from.0, crossed.1 - from.1);
            let side = (0..2).find(|side| {
                self.castle[seat][*side]
                    .is_some_and(|rook| ((rook.0 - from.0).signum(), (rook.1 - from.1).signum()) == step)
            });
            let side = side.expect("a castling right");
            let rook = self.castle[seat][side].expect("a rook");
            self.put(rook, None);
            self.put(crossed, Some((seat, 'R')));
            kind = if side == 0 { Kind::Short } else { Kind::Long };
        }
        self.put(from, None);
        self.put(to, Some((seat, becomes.unwrap_or(role))));
        match becomes {
            Some('Q') => Kind::Queened,
            Some(_) => Kind::Underpromoted,
            None => kind,
        }
    }

    /// Returns the kind of a legal move.
    pub(crate) fn kind(&self, mv: &str) -> Kind {
        self.clone().shift(mv)
    }

    /// Plays a legal move, passes the turn and eliminates checkmated players.
    pub(crate) fn play(&mut self, mv: &str) -> Kind {
        let (from, to, becomes) = spots_of(mv);
        let (seat, role) = self.at(from).expect("a piece to move");
        let taken = self.at(to);
        let kind = self.shift(mv);
        self.clock = if role == 'P' || taken.is_some() { 0 } else { self.clock + 1 };
        if self.seats == 4 {
            if let Some((victim, kind)) = taken.and_then(|(victim, role)| Some((victim, reserve_kind(role)?)))
            {
                self.reserve[victim][kind] += 1;
            }
            if let Some(kind) = becomes.and_then(reserve_kind) {
                self.reserve[seat][kind] -= 1;
            }
        }
        for (owner, rights) in self.castle.iter_mut().enumerate() {
            for right in rights {
                let moved = *right == Some(from) || owner == seat && role == 'K';
                if moved || *right == Some(to) {
                    *right = None;
                }
            }
        }
        for other in 0..self.seats {
            if let Some((passed, pawn)) = self.passed[other] {
                let gone = self.at(pawn) != Some((other, 'P')) || self.at(passed).is_some();
                if gone || seat == self.across(other) {
                    self.passed[other] = None;
                }
            }
        }
        if kind == Kind::DoubleStep && self.alive[self.across(seat)] {
            self.passed[seat] = Some((((from.0 + to.0) / 2, (from.1 + to.1) / 2), to));
        }
        self.next_turn();
        self.take_out_mated();
        kind
    }

    /// Returns the number of legal move sequences; a sequence ends where nobody can move or one
    /// seat is left.
    pub(crate) fn perft(mut self, depth: u32) -> u64 {
        self.take_out_mated();
        let left = self.alive.iter().filter(|alive| **alive).count();
        match depth {
            0 => 1,
            _ if left == 1 => 0,
            1 => self.moves().len() as u64,
            _ => {
                let after = |mv: String| {
                    let mut after = self.clone();
                    after.play(&mv);
                    after.perft(depth - 1)
                };
                self.moves().into_iter().map(after).sum()
            }
        }
    }

    fn next_turn(&mut self) {
        loop {
            self.turn = (self.turn + 1) % self.seats;
            if self.alive[self.turn] {
                break;
            }
        }
    }

    fn take_out_mated(&mut self) {
        while self.seats == 4
            && self.alive.iter().filter(|alive| **alive).count() > 1
            && self.in_check(self.turn)
            && self.moves().is_empty()
        {
            self.take_out(self.turn);
        }
    }

    /// Eliminates a seat, at any time, and then every player checkmated on its turn.
    pub(crate) fn go_out(&mut self, seat: usize) {
        self.take_out(seat);
        self.take_out_mated();
    }

    fn take_out(&mut self, seat: usize) {
        for spot in self.spots() {
            if self.at(spot).is_some_and(|(owner, _)| owner == seat) {
                self.put(spot, None);
            }
        }
        self.castle[seat] = [None; 2];
        self.passed[seat] = None;
        let across = self.across(seat);
        self.passed[across] = None;
        self.reserve[seat] = [0; 3];
        self.clock = 0;
        if self.turn == seat {
            self.next_turn();
        }
        self.alive[seat] = false;
    }

    /// Returns the complete state in one line of its own format.
    pub(crate) fn describe(&self) -> String {
        let mut pieces = Vec::new();
        for spot in self.spots() {
            if let Some((owner, role)) = self.at(spot) {
                pieces.push(format!("{owner}{role}{}", name(spot)));
            }
        }
        pieces.sort();
        let castle: Vec<_> = self.castle.iter().map(|rooks| rooks.map(|rook| rook.is_some())).collect();
        let passed: Vec<_> =
            self.passed.iter().map(|passed| passed.map(|(over, pawn)| name(over) + &name(pawn))).collect();
        let checks: Vec<bool> = (0..self.seats).map(|seat| self.in_check(seat)).collect();
        describe(&pieces, self.turn, &self.alive, &castle, &passed, &self.reserve, self.clock, &checks)
    }
}

/// Returns the line that both sides of the same game must reach.
#[expect(clippy::too_many_arguments, reason = "each is one thing to be compared, with nothing in common")]
pub(crate) fn describe(
    pieces: &[String],
    turn: usize,
    alive: &[bool],
    castle: &[[bool; 2]],
    passed: &[Option<String>],
    reserve: &[[u32; 3]],
    clock: u32,
    checks: &[bool],
) -> String {
    format!("{pieces:?} {turn} {alive:?} {castle:?} {passed:?} {reserve:?} {clock} {checks:?}")
}

fn reserve_kind(role: char) -> Option<usize> {
    "BNR".find(role)
}

fn name(spot: Spot) -> String {
    format!("{}{}", (b'a' + spot.0 as u8) as char, spot.1 + 1)
}

/// Returns the texts of a FEN4's option, without their quotes; none if it is missing.
fn option<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let Some((_, list)) = text.split_once(&format!("'{key}':(")) else { return Vec::new() };
    let list = list.split(')').next().expect("a list");
    list.split(',').map(|quoted| quoted.trim_matches('\'')).collect()
}

/// Returns the spot at the start of a text, and the length of its name.
fn spot(text: &str) -> (Spot, usize) {
    let rank: String = text[1..].chars().take_while(char::is_ascii_digit).collect();
    let file = i32::from(text.as_bytes()[0] - b'a');
    ((file, rank.parse::<i32>().expect("a rank") - 1), 1 + rank.len())
}

fn spots_of(mv: &str) -> (Spot, Spot, Option<char>) {
    let (from, length) = spot(mv);
    let rest = &mv[length..];
    let (to, length) = spot(rest);
    (from, to, rest[length..].chars().next().map(|letter| letter.to_ascii_uppercase()))
}
