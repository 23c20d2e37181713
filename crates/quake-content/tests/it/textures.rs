//! Textures that are made.

use quake_content::picture::Picture;
use quake_content::{ErrorKind, MipTexture, Palette};
use quake_content::{FIRST_BRIGHT, HOLE, WadVersion};

fn made(name: &str, pixels: &[u8], size: (u32, u32), colours: WadVersion) -> Vec<u8> {
    let picture = Picture::of_size(pixels, size).unwrap();
    MipTexture::encode(name.as_bytes(), picture, &Palette::quake(), colours).unwrap()
}

/// The pixels of the four copies.
fn copies(bytes: &[u8], has_palette: bool) -> Vec<Vec<u8>> {
    let texture = MipTexture::parse(bytes, has_palette).unwrap();
    (0..4).map(|copy| texture.picture(copy).unwrap().unwrap().pixels.to_vec()).collect()
}

#[test]
fn a_texture_has_four_copies_and_one_of_half_life_its_palette() {
    let pixels: Vec<u8> = (0..32 * 16).map(|number: u32| u8::try_from(number % 200).unwrap()).collect();
    for (colours, size) in [(WadVersion::Wad2, 40 + 680), (WadVersion::Wad3, 40 + 680 + 2 + 768 + 2)] {
        let bytes = made("+0brick", &pixels, (32, 16), colours);
        assert_eq!(bytes.len(), size);
        let has_palette = colours == WadVersion::Wad3;
        let texture = MipTexture::parse(&bytes, has_palette).unwrap();
        assert_eq!((texture.name, texture.width, texture.height), (&b"+0brick"[..], 32, 16));
        assert_eq!(copies(&bytes, has_palette)[0], pixels);
        assert_eq!(texture.palette().map(<[_]>::len), has_palette.then_some(256));
        assert_eq!(texture.stored().len(), size - usize::from(has_palette) * 2);
    }
}

#[test]
fn a_pixel_of_a_smaller_copy_is_the_mean_of_the_pixels_it_replaces() {
    // black and white by turns: grey, index 7 or 8 of the first row of the palette
    let pixels: Vec<u8> = (0..256_u32).map(|number| if number % 2 == 0 { 0 } else { 15 }).collect();
    let copies = copies(&made("a", &pixels, (16, 16), WadVersion::Wad2), false);
    let nearest = Palette::quake().nearest([118, 118, 118], 0..=223);
    assert!(nearest == 7 || nearest == 8);
    assert_eq!(copies[1], [nearest; 64]);
    assert_eq!(copies[3], [nearest; 4]);
}

#[test]
fn few_bright_pixels_and_few_holes_are_not_in_the_smaller_copies_and_many_are() {
    let with = |name: &str, special: u8, each: usize| -> Vec<u8> {
        let pixels: Vec<u8> =
            (0..256_usize).map(|number| if number % 4 < each { special } else { 4 }).collect();
        copies(&made(name, &pixels, (16, 16), WadVersion::Wad2), false).swap_remove(2)
    };
    assert!(with("lamp", 254, 1).iter().all(|index| *index < FIRST_BRIGHT));
    assert!(with("lamp", 254, 3).iter().all(|index| *index >= FIRST_BRIGHT));
    assert!(with("{fence", HOLE, 1).iter().all(|index| *index == 4));
    assert!(with("{fence", HOLE, 3).iter().all(|index| *index == HOLE));
}

#[test]
fn a_side_that_is_not_a_multiple_of_16_and_a_long_name_are_refused() {
    let picture = Picture::of_size(&[0; 20 * 16], (20, 16)).unwrap();
    let refused = |name: &[u8], picture| {
        let made = MipTexture::encode(name, picture, &Palette::quake(), WadVersion::Wad2);
        made.unwrap_err().kind().clone()
    };
    assert_eq!(refused(b"a", picture), ErrorKind::Uneven { width: 20, height: 16 });
    let picture = Picture::of_size(&[0; 256], (16, 16)).unwrap();
    assert!(matches!(refused(b"sixteen_letters_", picture), ErrorKind::Number { found: 16, most: 15, .. }));
}

#[test]
fn a_texture_that_claims_all_pixels_there_can_be_has_no_palette() {
    let mut bytes = made("a", &[0; 256], (16, 16), WadVersion::Wad3);
    bytes[16..24].fill(0xff);
    let texture = MipTexture::parse(&bytes, true).unwrap();
    assert!(texture.palette().is_none() && texture.picture(0).unwrap().is_err());
}
