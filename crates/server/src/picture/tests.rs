use quadrex_rules::{DrawPolicy, Role, Setup};

use super::*;

fn start(variant: Variant) -> Picture {
    Picture::of(&AnyPosition::new(&Setup::start(variant)).unwrap())
}

/// Returns the pictures of a game of random legal moves.
fn game(variant: Variant, plies: usize) -> Vec<Picture> {
    let mut playback =
        quadrex_rules::notation::Playback::new(Setup::start(variant), DrawPolicy::Claim).unwrap();
    let mut pictures = vec![start(variant)];
    for ply in 0..plies {
        if playback.game().is_over() {
            break;
        }
        let position = playback.game().position().clone();
        let legal = position.legal_moves();
        let mv = legal[(ply * 7 + 3) % legal.len()];
        playback.play(mv, None).unwrap();
        let mut picture = Picture::of(playback.game().position());
        picture.last_moves = pictures.last().unwrap().last_moves.clone();
        picture.last_moves.insert(position.turn(), mv);
        pictures.push(picture);
    }
    pictures
}

/// Returns the width and height in the header of a PNG.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    (reader.info().width, reader.info().height)
}

/// The colors equal those of the web client. Change them in both places.
#[test]
fn armies_have_the_colors_of_the_web_client() {
    let tokens = include_str!("../../../web/src/view/styles/tokens.css");
    for color in Color::ALL {
        let army = palette::piece_colors(color);
        let own =
            tokens.split(&format!("[data-color='{color}'] {{")).nth(1).unwrap().split('}').next().unwrap();
        let body = match color {
            Color::White | Color::Black => format!("--seat: {};", army.body.text()),
            _ => format!("--seat: var(--{color});"),
        };
        for wanted in
            [body, format!("--outline: {};", army.outline.text()), format!("--inner: {};", army.inner.text())]
        {
            assert!(own.contains(&wanted), "{color} lacks {wanted} in the client");
        }
        if variant_of(color) != Variant::Classic {
            assert!(tokens.contains(&format!("  --{color}: {};", army.body.text())), "{color}");
        }
    }
    for (name, rgb) in
        [("page", palette::PAGE), ("square-light", palette::LIGHT), ("square-dark", palette::DARK)]
    {
        assert!(tokens.contains(&format!("--{name}: light-dark({}, ", rgb.text())), "{name}");
    }
}

fn variant_of(color: Color) -> Variant {
    if Variant::Classic.colors().contains(&color) { Variant::Classic } else { Variant::Dilkel }
}

#[test]
fn every_square_has_a_different_cell_from_each_side() {
    for variant in Variant::ALL {
        for color in variant.colors() {
            let layout = layout::Layout::new(variant, color.side());
            let places: std::collections::BTreeSet<_> =
                layout.squares().map(|square| layout.cell_of(square)).collect();
            assert_eq!(places.len(), layout.squares().count());
            let king = Setup::start(variant)
                .pieces
                .into_iter()
                .find(|(_, piece)| (piece.color, piece.role) == (*color, Role::King));
            let row = layout.cell_of(king.unwrap().0).row;
            assert_eq!(row, layout.size() - 1, "{color} sits below");
        }
    }
    let layout = layout::Layout::new(Variant::Classic, Side::South);
    assert_eq!(layout.labels("a1".parse().unwrap()), (Some("a".to_owned()), Some("1".to_owned())));
    assert_eq!(layout.labels("b2".parse().unwrap()), (None, None));
}

#[test]
fn an_svg_is_a_complete_document_without_scripts_and_styles() {
    for variant in Variant::ALL {
        for color in variant.colors() {
            let drawn = svg(&start(variant).seen_by(*color), 600);
            assert!(drawn.starts_with("<svg xmlns=") && drawn.ends_with("</svg>\n"));
            assert!(!drawn.contains("style") && !drawn.contains("<script"), "{drawn}");
            assert_eq!(drawn.matches("<use ").count(), start(variant).pieces.len());
            assert!(drawn.len() < 40_000, "{} bytes", drawn.len());
        }
    }
}

#[test]
fn a_picture_has_about_the_requested_width() {
    for (variant, asked) in [(Variant::Classic, 64), (Variant::Dilkel, 600), (Variant::DilkelCompact, 1_600)]
    {
        let drawn = png(&start(variant), asked);
        let (width, height) = png_size(&drawn);
        assert!(width == height && width <= asked && width * 5 > asked * 4, "{asked}: {width} x {height}");
        assert!(drawn.len() < 300_000, "{} bytes", drawn.len());
    }
    assert_eq!(png_size(&card(&start(Variant::Dilkel))), (1_200, 630));
}

/// The last frame of an animation gives the last picture, although each frame contains only
/// changes.
#[test]
fn an_animation_ends_with_the_last_picture() {
    for variant in Variant::ALL {
        let pictures = game(variant, 60);
        let animation = gif(&pictures);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&animation[..]).unwrap();
        let (width, mut frames) = (usize::from(decoder.width()), 0);
        let mut dots = vec![0_u8; width * usize::from(decoder.height()) * 4];
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames += 1;
            for (at, dot) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, dot)| dot[3] > 0) {
                let x = usize::from(frame.left) + at % usize::from(frame.width);
                let y = usize::from(frame.top) + at / usize::from(frame.width);
                dots[4 * (y * width + x)..][..4].copy_from_slice(dot);
            }
        }
        assert_eq!(frames, pictures.len());
        let last = raster::Canvas::new(pictures.last().unwrap(), 32).dots;
        let far = |(one, other): (&u8, &u8)| one.abs_diff(*other) > 40;
        let wrong = dots.iter().zip(last.data()).filter(|pair| far(*pair)).count();
        assert!(wrong * 200 < dots.len(), "{wrong} of {} bytes are far off", dots.len());
    }
}

#[test]
fn a_long_animation_is_a_small_file() {
    let animation = gif(&game(Variant::Dilkel, 300));
    assert!(animation.len() < 800_000, "{} bytes", animation.len());
    assert_eq!(gif(&game(Variant::Classic, 9)), gif(&game(Variant::Classic, 9)), "the same every time");
    assert!(gif(&[]).is_empty());
}
