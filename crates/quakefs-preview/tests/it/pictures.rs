//! Pictures of each format have their pixels.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};
use quakefs_preview::{Error, Kind, Options, Palette, Preview, preview};
use testutils::content;

use crate::{colour, look, pictures};

#[test]
fn a_lump_is_a_picture_in_which_index_255_is_transparent() {
    let found = pictures("gfx/menu.lmp", &content::lump(20, 15));
    let picture = &found.shown[0];
    assert_eq!((found.all, picture.width, picture.height), (1, 20, 15));
    assert_eq!(picture.image.pixel(3, 1), colour(23));
    assert_eq!(picture.image.pixel(20, 1), None);
    let holed = [&1_u32.to_le_bytes()[..], &1_u32.to_le_bytes(), &[255]].concat();
    assert_eq!(pictures("a.lmp", &holed).shown[0].image.pixel(0, 0), Some([0; 4]));
}

#[test]
fn lumps_without_a_size_are_a_palette_a_colour_map_or_the_mark_of_the_registered_game() {
    let palette = &pictures("gfx/palette.lmp", &content::palette()).shown[0];
    assert_eq!((palette.width, palette.image.pixel(5, 2)), (16, colour(37)));
    let map = &pictures("gfx/colormap.lmp", &vec![7; 256 * 64 + 1]).shown[0];
    assert_eq!((map.width, map.height), (256, 64));
    let mark = &pictures("gfx/pop.lmp", &[7; 256]).shown[0];
    assert_eq!((mark.width, mark.height, mark.image.pixel(9, 9)), (16, 16, colour(7)));
}

#[test]
fn a_wad2_shows_its_pictures_textures_and_font_and_leaves_the_palette_out() {
    let wad = content::wad(
        b"WAD2",
        &[
            ("PALETTE", 0x40, content::palette()),
            ("DISC", 0x42, content::lump(24, 24)),
            ("brick", 0x44, content::texture("brick", 32, 16, None)),
            ("CONCHARS", 0x44, content::pixels(128, 128)),
        ],
    );
    let found = pictures("gfx.wad", &wad);
    let shown: Vec<_> = found
        .shown
        .iter()
        .map(|picture| (std::str::from_utf8(&picture.name).unwrap(), picture.width, picture.height))
        .collect();
    assert_eq!(shown, [("DISC", 24, 24), ("brick", 32, 16), ("CONCHARS", 128, 128)]);
    assert_eq!((found.all, found.damaged), (3, 0));
    assert_eq!(found.shown[1].image.pixel(1, 1), colour(33));
    assert_eq!(found.shown[2].image.pixel(0, 0), Some([0; 4]), "the font stands on nothing");
}

#[test]
fn a_texture_of_half_life_has_its_own_palette_and_a_name_with_a_brace_has_holes() {
    let colours: Vec<u8> = (0..=255).flat_map(|index| [255 - index, 1, 2]).collect();
    let texture = content::texture("{fence", 16, 16, Some(&colours));
    let wad = content::wad(b"WAD3", &[("{fence", 0x43, texture.clone())]);
    assert_eq!(pictures("a.wad", &wad).shown[0].image.pixel(4, 0), Some([251, 1, 2, 255]));
    let level = content::level([30, 0, 0, 0], "{}", &[texture]);
    let Ok(Preview::Level(level)) = look("a.bsp", &level) else { panic!("no level") };
    assert_eq!(level.textures.shown[0].image.pixel(4, 0), Some([251, 1, 2, 255]));
}

#[test]
fn a_model_shows_each_skin_and_of_a_group_the_first_picture() {
    let found = pictures("progs/ogre.mdl", &content::model(8, 4, 2));
    assert_eq!((found.all, found.shown.len(), found.shown[1].image.pixel(1, 1)), (2, 2, colour(9)));
    let mut group = content::model(2, 1, 0);
    group[48] = 2;
    // two pictures that change in turns, then a single one
    group.extend([1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 5, 6]);
    let found = pictures("progs/flame.mdl", &group);
    let first: Vec<_> = found.shown.iter().map(|skin| skin.image.pixel(0, 0)).collect();
    assert_eq!(first, [colour(1), colour(5)]);
}

#[test]
fn a_wal_and_a_pcx_are_pictures() {
    let wal = &pictures("textures/e1u1/floor.wal", &content::wal(16, 16)).shown[0];
    assert_eq!((&wal.name[..], wal.image.pixel(1, 2)), (&b"e1u1/floor"[..], colour(33)));
    let pcx = content::pcx(15, 9, &content::palette());
    let picture = &pictures("pics/a.pcx", &pcx).shown[0];
    assert_eq!((picture.width, picture.height, picture.image.pixel(2, 3)), (15, 9, colour(47)));
    assert_eq!(Palette::from_pcx(&pcx), Palette::from_lump(&content::palette()));
    assert_eq!(Palette::from_pcx(b"no picture"), None);
}

#[test]
fn a_texture_of_heretic2_is_a_picture_in_its_own_palette() {
    let mut colours = content::palette();
    colours[33 * 3..34 * 3].copy_from_slice(&[9, 8, 7]);
    let texture = &pictures("textures/general/floor.m8", &content::m8(16, 16, &colours)).shown[0];
    assert_eq!((&texture.name[..], texture.in_palette), (&b"general/floor"[..], false));
    assert_eq!(texture.image.pixel(1, 2), Some([9, 8, 7, 255]));
    let texture = &pictures("textures/menu/floor.m32", &content::m32(16, 16)).shown[0];
    assert_eq!((&texture.name[..], texture.image.pixel(1, 2)), (&b"menu/floor"[..], Some([33, 33, 33, 128])));
}

#[test]
fn png_tga_and_jpg_are_decoded() {
    let mut rgba = RgbaImage::from_pixel(6, 4, image::Rgba([10, 200, 30, 255]));
    rgba.put_pixel(1, 2, image::Rgba([1, 2, 3, 4]));
    for (name, format) in [("a.png", ImageFormat::Png), ("a.tga", ImageFormat::Tga)] {
        let mut file = Cursor::new(Vec::new());
        DynamicImage::from(rgba.clone()).write_to(&mut file, format).unwrap();
        let image = &pictures(name, file.get_ref()).shown[0].image;
        assert_eq!(
            (image.pixel(1, 2), image.pixel(5, 3)),
            (Some([1, 2, 3, 4]), Some([10, 200, 30, 255])),
            "{name}"
        );
    }
    let mut file = Cursor::new(Vec::new());
    let deep = image::ImageBuffer::from_pixel(2, 2, image::LumaA([0x1234_u16, 0xabcd]));
    DynamicImage::ImageLumaA16(deep).write_to(&mut file, ImageFormat::Png).unwrap();
    assert_eq!(pictures("a.png", file.get_ref()).shown[0].image.pixel(1, 1), Some([0x12, 0x12, 0x12, 0xab]));
    let mut file = Cursor::new(Vec::new());
    let grey = RgbImage::from_pixel(16, 16, image::Rgb([128, 128, 128]));
    DynamicImage::from(grey).write_to(&mut file, ImageFormat::Jpeg).unwrap();
    assert_eq!(pictures("a.jpg", file.get_ref()).shown[0].image.pixel(8, 8), Some([128, 128, 128, 255]));
}

/// A grey picture of 3 x 3 pixels, its rows in the seven passes of Adam7.
const INTERLACED: &[u8] = b"\
    \x89PNG\x0d\x0a\x1a\x0a\0\0\0\x0dIHDR\0\0\0\x03\0\0\0\x03\x08\0\0\0\x01\x04D\xda\xf5\0\0\0\x17IDAT\
    x\xdac``X\xc0 \xb2\x85!\x80!\x85\x81+j\x15\0\x14K\x03+\xaf\xb5\xf9\x16\0\0\0\0IEND\xaeB`\x82";

/// Bytes that differ from their neighbours.
fn varied(count: usize) -> Vec<u8> {
    (0..=255_u8).cycle().take(count).map(|byte| byte.wrapping_mul(47)).collect()
}

/// Compares a preview with the picture that the crate `image` decodes, each part with its higher byte.
fn equals_another_decoder(name: &str, bytes: &[u8], format: ImageFormat, kind: &str) {
    let other = image::load_from_memory_with_format(bytes, format).unwrap();
    let is_deep = other.color().bytes_per_pixel() > other.color().channel_count();
    let other: Vec<u8> = if is_deep {
        other.into_rgba16().into_raw().into_iter().map(|part| part.to_be_bytes()[0]).collect()
    } else {
        other.into_rgba8().into_raw()
    };
    assert_eq!(pictures(name, bytes).shown[0].image.rgba(), other, "{kind}");
}

#[test]
fn each_kind_of_png_gives_the_pixels_of_another_decoder() {
    use png::{BitDepth, ColorType};

    let kinds = [
        (ColorType::Grayscale, [1, 2, 4, 8, 16].as_slice()),
        (ColorType::Indexed, &[1, 2, 4, 8]),
        (ColorType::GrayscaleAlpha, &[8, 16]),
        (ColorType::Rgb, &[8, 16]),
        (ColorType::Rgba, &[8, 16]),
    ];
    for (colours, depths) in kinds {
        for (depth, holed) in depths.iter().flat_map(|depth| [(*depth, false), (*depth, true)]) {
            let mut file = Vec::new();
            let mut encoder = png::Encoder::new(&mut file, 5, 3);
            encoder.set_color(colours);
            encoder.set_depth(BitDepth::from_u8(depth).unwrap());
            if colours == ColorType::Indexed {
                encoder.set_palette(varied(3 << depth));
            }
            // one colour has no opacity
            let opacity = match colours {
                ColorType::Indexed => [255, 0].as_slice(),
                ColorType::Grayscale => &[0, 1],
                ColorType::Rgb => &[0, 47, 0, 94, 0, 141],
                _ => &[],
            };
            if holed && !opacity.is_empty() {
                encoder.set_trns(opacity);
            }
            let size = (5 * colours.samples() * usize::from(depth)).div_ceil(8) * 3;
            encoder.write_header().unwrap().write_image_data(&varied(size)).unwrap();
            let kind = format!("{colours:?}, {depth}, {holed}");
            equals_another_decoder("a.png", &file, ImageFormat::Png, &kind);
        }
    }
    equals_another_decoder("a.png", INTERLACED, ImageFormat::Png, "interlaced");
}

#[test]
fn each_kind_of_jpeg_gives_the_pixels_of_another_decoder() {
    use jpeg_encoder::{ColorType, Encoder};

    for (colours, parts) in
        [(ColorType::Luma, 1), (ColorType::Rgb, 3), (ColorType::Cmyk, 4), (ColorType::CmykAsYcck, 4)]
    {
        for is_progressive in [false, true] {
            let mut file = Vec::new();
            let mut encoder = Encoder::new(&mut file, 90);
            encoder.set_progressive(is_progressive);
            encoder.encode(&varied(19 * 13 * parts), 19, 13, colours).unwrap();
            let kind = format!("{colours:?}, {is_progressive}");
            equals_another_decoder("a.jpg", &file, ImageFormat::Jpeg, &kind);
            assert!(look("a.jpg", &file[..20]).is_err(), "{kind}, cut short");
        }
    }
}

#[test]
fn each_kind_of_tga_gives_the_pixels_of_another_decoder() {
    let colours = [[1, 2, 3, 4], [50, 60, 70, 80], [200, 210, 220, 230]];
    for (kind, bits, map_bits) in [
        (1_u8, 8_u8, 16_u8),
        (1, 8, 24),
        (1, 8, 32),
        (1, 16, 24),
        (2, 15, 0),
        (2, 16, 0),
        (2, 24, 0),
        (2, 32, 0),
        (3, 8, 0),
        (9, 8, 24),
        (10, 16, 0),
        (10, 24, 0),
        (10, 32, 0),
        (11, 8, 0),
    ] {
        let of_pixel = usize::from(bits.div_ceil(8));
        let pixel = |number: usize| {
            let index = [u8::try_from(number).unwrap(), 0];
            if map_bits > 0 || bits == 8 {
                index[..of_pixel].to_vec()
            } else {
                colours[number][..of_pixel].to_vec()
            }
        };
        for flags in [0, 0x20] {
            let alpha = if bits == 32 || map_bits == 32 { 8 } else { 0 };
            let mut tga =
                vec![2, u8::from(map_bits > 0), kind, 0, 0, if map_bits > 0 { 3 } else { 0 }, 0, map_bits];
            tga.extend([0, 0, 0, 0, 3, 0, 2, 0, bits, flags | alpha, b'i', b'd']);
            for colour in colours {
                tga.extend(&colour[..usize::from(map_bits / 8)]);
            }
            if kind < 8 {
                tga.extend([0, 1, 2, 2, 2, 0].into_iter().flat_map(pixel));
            } else {
                tga.extend(
                    [[1].as_slice(), &pixel(0), &pixel(1), &[0x82], &pixel(2), &[0], &pixel(0)].concat(),
                );
            }
            let other = image::load_from_memory_with_format(&tga, ImageFormat::Tga).unwrap().into_rgba8();
            let found = pictures("a.tga", &tga).shown.remove(0).image;
            assert_eq!(found.rgba(), other.as_raw(), "{kind}, {bits}, {map_bits}, {flags}");
            tga.pop();
            assert!(look("a.tga", &tga).is_err(), "{kind}, cut short");
        }
    }
}

#[test]
fn each_kind_of_pcx_gives_the_pixels_of_another_decoder() {
    let (width, height, of_row) = (5, 3, 6_u8);
    for (bits, planes) in [(1, 1), (2, 1), (4, 1), (8, 1), (1, 2), (1, 3), (1, 4), (8, 3)] {
        let mut file = vec![10, 5, 1, bits, 2, 0, 1, 0, 1 + width, 0, height, 0, 0, 0, 0, 0];
        file.extend(0..48);
        file.extend([0, planes, of_row, 0, 1, 0]);
        file.resize(128, 0);
        for byte in 0..height * planes * of_row {
            file.extend([0xc1, byte.wrapping_mul(47)]);
        }
        file.push(12);
        file.extend((0..768_u32).map(|number| u8::try_from(number * 7 % 256).unwrap()));
        let mut reader = pcx::Reader::from_mem(&file).unwrap();
        let colours: Vec<u8> = if reader.is_paletted() {
            let mut indices = vec![0; usize::from(width)];
            let rows: Vec<u8> = (0..height)
                .flat_map(|_| {
                    reader.next_row_paletted(&mut indices).unwrap();
                    indices.clone()
                })
                .collect();
            let palette = if bits == 8 { &file[file.len() - 768..] } else { &file[16..64] };
            rows.iter().flat_map(|index| palette[usize::from(*index) * 3..][..3].to_vec()).collect()
        } else {
            let mut rgb = vec![0; usize::from(width) * 3];
            (0..height)
                .flat_map(|_| {
                    reader.next_row_rgb(&mut rgb).unwrap();
                    rgb.clone()
                })
                .collect()
        };
        let found = pictures("a.pcx", &file).shown.remove(0).image;
        let found: Vec<u8> =
            found.rgba().as_chunks::<4>().0.iter().flat_map(|pixel| pixel[..3].to_vec()).collect();
        assert_eq!(found, colours, "{bits} bits, {planes} planes");
        file.truncate(140);
        assert!(look("a.pcx", &file).is_err());
    }
}

#[test]
fn a_large_picture_is_made_smaller_by_the_mean_of_its_pixels() {
    let grey = Palette::grey();
    let lump = [&2_u32.to_le_bytes()[..], &2_u32.to_le_bytes(), &[10, 20, 30, 40]].concat();
    let shown = |side| {
        let mut options = Options::new(&grey);
        options.side = side;
        match preview(Kind::Lump, &lump, &options) {
            Ok(Preview::Pictures(pictures)) => pictures.shown[0].image.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((shown(1).rgba(), shown(2).width()), (&[25, 25, 25, 255][..], 2));
    let line = [&512_u32.to_le_bytes()[..], &1_u32.to_le_bytes(), &[9; 512]].concat();
    let Ok(Preview::Pictures(line)) = preview(Kind::Lump, &line, &Options::new(&grey)) else {
        panic!("no line")
    };
    assert_eq!((line.shown[0].image.width(), line.shown[0].image.height()), (128, 1));
}

#[test]
fn a_picture_is_stored_as_a_file_that_reads_back() {
    let found = pictures("a.lmp", &content::lump(16, 16)).shown.remove(0);
    let (media_type, bytes) = found.image.encode().unwrap();
    assert_eq!(media_type, "image/png");
    assert_eq!(image::load_from_memory(&bytes).unwrap().into_rgba8().as_raw(), found.image.rgba());
    let many = RgbImage::from_fn(64, 64, |x, y| {
        image::Rgb([u8::try_from(x * 3).unwrap(), u8::try_from(y * 3).unwrap(), 0])
    });
    let mut png = Cursor::new(Vec::new());
    DynamicImage::from(many).write_to(&mut png, ImageFormat::Png).unwrap();
    let (media_type, bytes) = pictures("a.png", png.get_ref()).shown[0].image.encode().unwrap();
    assert_eq!(media_type, "image/jpeg");
    assert_eq!(image::load_from_memory(&bytes).unwrap().into_rgba8().dimensions(), (64, 64));
}

#[test]
fn a_size_that_the_file_cannot_hold_is_refused_before_anything_is_allocated() {
    let huge = [&u32::MAX.to_le_bytes()[..], &u32::MAX.to_le_bytes(), &[0; 64]].concat();
    let refused = Error::Size { width: u32::MAX, height: u32::MAX };
    assert_eq!(look("a.lmp", &huge), Err(refused));
    let mut tga = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x7f, 0xff, 0x7f, 32, 0];
    tga.extend([0; 64]);
    assert!(matches!(look("a.tga", &tga), Err(Error::Size { .. } | Error::Decoder(_))));
    assert!(look("a.pcx", &[10, 5, 1, 8, 0, 0, 0, 0, 0xfe, 0xff, 0xfe, 0xff]).is_err());
}

#[test]
fn a_sprite_shows_its_frames() {
    let found = pictures("progs/s_light.spr", &content::sprite(3, 4, 2));
    assert_eq!((found.all, found.damaged), (3, 0));
    let [first, _, third] = &found.shown[..] else { panic!("three frames") };
    assert!(first.in_palette);
    assert_eq!((first.image.pixel(1, 1), third.image.pixel(1, 1)), (colour(5), colour(7)));
    assert!(look("progs/s_light.spr", &content::sprite(3, 4, 2)[..40]).is_err());
}
