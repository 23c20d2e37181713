//! Demos: levels, titles and lengths.

use quake_content::{Demo, DemoFormat, ErrorKind};

fn sized(head: usize, message: &[u8]) -> Vec<u8> {
    [&u32::try_from(message.len()).unwrap().to_le_bytes()[..], &vec![0; head], message].concat()
}

fn time(seconds: f32) -> Vec<u8> {
    sized(12, &[&[7][..], &seconds.to_le_bytes(), &[1]].concat())
}

#[test]
fn a_demo_of_quake_has_all_its_levels_and_the_sum_of_their_times() {
    let server = |level: &str| {
        let rest =
            [b"\x08Quake\n\0\x0bFTEX\0\0\0\0\x9a\x02\0\0\x01\0The Title\0", level.as_bytes(), b"\0"].concat();
        sized(12, &rest)
    };
    let mut bytes = b"-1\n".to_vec();
    for (level, start, end) in
        [("maps/a.bsp", 1.0, 31.0), ("maps/b.bsp", 5.0, 17.0), ("maps/a.bsp", 1.0, 2.0)]
    {
        bytes.extend([server(level), time(start), time(end)].concat());
    }
    // the last message is cut off
    bytes.extend([255, 0, 0, 0]);
    let demo = Demo::parse(DemoFormat::Quake, &bytes).unwrap();
    assert_eq!((demo.protocol, demo.title, demo.seconds), (666, &b"The Title"[..], 43.0));
    assert_eq!(demo.levels, [b"maps/a.bsp", b"maps/b.bsp"]);
}

#[test]
fn demos_of_later_games_tell_their_game_directory() {
    let data = b"\x0c\x22\0\0\0\0\0\0\0\0ctf\0\0\0The Edge\0\x0d\x21\0maps/q2dm1.bsp\0";
    let frame = |number: u8| sized(0, &[20, number, 0, 0, 0]);
    let bytes = [sized(0, data), frame(100), frame(150)].concat();
    let demo = Demo::parse(DemoFormat::Quake2, &bytes).unwrap();
    assert_eq!((demo.game, demo.title, demo.seconds), (&b"ctf"[..], &b"The Edge"[..], 5.0));
    assert_eq!((demo.protocol, &demo.levels[..]), (34, &[&b"maps/q2dm1.bsp"[..]][..]));

    let data = b"\0\0\0\0\0\0\0\0\x0b\x1c\0\0\0\0\0\0\0qw\0\0Claustrophobopolis\0\x09\"\\map\\dm2\"\0";
    let part = |seconds: f32| [&seconds.to_le_bytes()[..], &[1], &sized(0, data)].concat();
    let demo = [part(2.0), part(62.5)].concat();
    let demo = Demo::parse(DemoFormat::QuakeWorld, &demo).unwrap();
    assert_eq!((demo.game, demo.title, demo.seconds), (&b"qw"[..], &b"Claustrophobopolis"[..], 60.5));
    assert_eq!((demo.protocol, &demo.levels[..]), (28, &[&b"dm2"[..]][..]));
}

#[test]
fn a_demo_without_a_level_is_an_error() {
    for bytes in [&b""[..], b"-1\n", b"-1\n\xff", b"a text that is long enough\n"] {
        for format in [DemoFormat::Quake, DemoFormat::Quake2, DemoFormat::QuakeWorld, DemoFormat::MultiView] {
            let error = Demo::parse(format, bytes).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Format { .. }), "{error}");
        }
    }
}
