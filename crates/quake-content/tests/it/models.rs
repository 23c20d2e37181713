//! Models, sprites and pictures.

use quake_content::model::{AliasModel, Md2, Md3, Sprite, SpriteFormat};
use quake_content::picture::{Picture, Wal};
use testutils::content;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn padded(name: &str, size: usize) -> Vec<u8> {
    let mut name = name.as_bytes().to_vec();
    name.resize(size, 0);
    name
}

#[test]
fn a_model_of_quake_holds_its_skins() {
    let bytes = content::model(8, 4, 3);
    let model = AliasModel::parse(&bytes).unwrap();
    assert_eq!((model.skins, model.width, model.height), (3, 8, 4));
    let skins: Vec<_> = model.skins().map(Result::unwrap).collect();
    assert_eq!(skins.len(), 3);
    assert!(skins.iter().all(|skin| skin.picture.pixels.len() == 32));
    let cut = AliasModel::parse(&bytes[..120]).unwrap();
    assert_eq!(cut.skins().filter(Result::is_err).count(), 1);
}

#[test]
fn models_of_quake_ii_and_iii_name_their_pictures() {
    let mut md2 = [&b"IDP2"[..], &words(&[8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 68, 0, 0, 0, 0, 0])].concat();
    md2.extend([padded("models/a/skin.pcx", 64), padded("models/a/pain.pcx", 64)].concat());
    let skins: Vec<_> = Md2::parse(&md2).unwrap().skins().collect();
    assert_eq!(skins, [&b"models/a/skin.pcx"[..], b"models/a/pain.pcx"]);
    let mut md3 = [&b"IDP3"[..], &words(&[15])].concat();
    md3.resize(84, 0);
    md3.extend(words(&[1, 0, 0, 0, 108, 0]));
    let mut surface = b"IDP3".to_vec();
    surface.resize(76, 0);
    surface.extend(words(&[1, 0, 0, 0, 108, 0, 0, 176]));
    surface.extend(padded("models/a/body.tga", 68));
    md3.extend(surface);
    assert_eq!(Md3::parse(&md3).unwrap().shaders().unwrap(), [b"models/a/body.tga"]);
}

#[test]
fn sprites_of_quake_ii_name_their_pictures_and_those_of_quake_do_not() {
    let mut sprite = [&b"IDS2"[..], &words(&[2, 1, 16, 16, 8, 8])].concat();
    sprite.extend(padded("sprites/s_bfg1_0.pcx", 64));
    let sprite = Sprite::parse(&sprite).unwrap();
    assert_eq!(sprite.format, SpriteFormat::Quake2);
    assert_eq!(sprite.pictures().unwrap().collect::<Vec<_>>(), [b"sprites/s_bfg1_0.pcx"]);
    let sprite = [&b"IDSP"[..], &words(&[1, 2, 0, 8, 8, 4, 0, 0])].concat();
    let sprite = Sprite::parse(&sprite).unwrap();
    assert_eq!((sprite.format, sprite.frames), (SpriteFormat::Quake, 4));
    assert_eq!(sprite.pictures().unwrap().len(), 0);
}

#[test]
fn pictures_have_as_many_bytes_as_pixels() {
    let lump = content::lump(5, 3);
    let picture = Picture::with_size(&lump).unwrap();
    assert_eq!((picture.width, picture.height, picture.pixels.len()), (5, 3, 15));
    assert!(Picture::with_size(&lump[..20]).is_err());
    assert!(Picture::with_size(&words(&[0, 3])).is_err());
    let bytes = content::wal(16, 8);
    let wal = Wal::parse(&bytes).unwrap();
    assert_eq!(wal.picture().unwrap().pixels, content::pixels(16, 8));
}
