//! The shape of models.

use quakefs_preview::{Budget, Error, Kind, Model, Options, Palette, Preview, preview};
use testutils::content;

use crate::limited;

fn look(bytes: &[u8], options: &Options<'_>) -> Result<Model, Error> {
    match preview(Kind::of(b"progs/a.md3").unwrap(), bytes, options) {
        Ok(Preview::Model(model)) => Ok(model),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error),
    }
}

#[test]
fn a_model_has_surfaces_in_steps_of_its_longest_side() {
    let palette = Palette::grey();
    let options = Options::new(&palette);
    for (bytes, picture) in [
        (content::solid_mdl(), ""),
        (content::solid_md2("models/a/skin.pcx"), "models/a/skin.pcx"),
        (content::solid_md3("models/a/body"), "models/a/body"),
    ] {
        let model = look(&bytes, &options).unwrap();
        let [surface] = &model.shape.unwrap()[..] else { panic!("one surface") };
        assert_eq!(String::from_utf8_lossy(&surface.picture), picture);
        assert_eq!(surface.triangles.len(), 4);
        // 100 of 125 units, and 125 of 125
        let places: Vec<_> = surface.triangles[..2]
            .as_flattened()
            .iter()
            .map(|at| &surface.vertices[usize::from(*at)][..3])
            .collect();
        assert_eq!(places[1], [52428, 0, 0]);
        assert_eq!(places[4], [0, 0, 65535]);
        assert_eq!(model.skins.shown.len(), usize::from(picture.is_empty()));
    }
}

#[test]
fn a_picture_that_is_repeated_starts_at_its_first_copy() {
    let mut bytes = content::solid_md3("a");
    let point = 108 + 224;
    for (at, number) in [(0, -2.5_f32), (8, -1.5), (16, f32::NAN), (24, f32::INFINITY)] {
        bytes[point + at..point + at + 4].copy_from_slice(&number.to_le_bytes());
    }
    let palette = Palette::grey();
    let shape = look(&bytes, &Options::new(&palette)).unwrap().shape.unwrap();
    let points: Vec<_> = shape[0].vertices.iter().map(|vertex| vertex[3]).collect();
    assert_eq!(points, [2048, 6144, 0, 65535]);
}

#[test]
fn a_model_of_too_many_triangles_has_only_its_skins() {
    let palette = Palette::grey();
    let mut options = Options::new(&palette);
    options.shape = 3;
    let model = look(&content::solid_mdl(), &options).unwrap();
    assert_eq!(model.shape, Err(Error::Triangles { found: 4, most: 3 }));
    assert_eq!(model.skins.shown.len(), 1);
    let mut bytes = content::solid_mdl();
    bytes.truncate(bytes.len() - 1);
    let model = look(&bytes, &Options::new(&palette)).unwrap();
    assert!(matches!(model.shape, Err(Error::Content(_))), "{:?}", model.shape);
    assert_eq!(model.skins.shown.len(), 1);
}

#[test]
fn a_shape_takes_steps_from_the_budget() {
    let palette = Palette::grey();
    let (skin, corners) = (256, 12);
    for (steps, whole) in [(skin + corners, true), (skin + corners - 1, false), (skin, false)] {
        let budget = Budget::new(steps);
        let found = look(&content::solid_mdl(), &limited(&palette, &budget));
        assert_eq!(found.is_ok(), whole, "{found:?}");
        assert!(whole || found == Err(Error::Budget));
    }
}

#[test]
fn positions_that_are_not_numbers_are_clamped_to_the_box() {
    let mut bytes = content::solid_mdl();
    bytes[8..12].copy_from_slice(&f32::NAN.to_le_bytes());
    bytes[12..16].copy_from_slice(&f32::INFINITY.to_le_bytes());
    bytes[24..28].copy_from_slice(&f32::MAX.to_le_bytes());
    let palette = Palette::grey();
    assert_eq!(look(&bytes, &Options::new(&palette)).unwrap().shape.unwrap()[0].vertices.len(), 7);
}

#[test]
fn each_frame_of_a_model_has_its_own_box() {
    let palette = Palette::grey();
    let mut options = Options::new(&palette);
    let bytes = content::moving_mdl();
    let model = look(&bytes, &options).unwrap();
    assert_eq!((model.frames, model.corner, model.side), (2, [-50.0, -50.0, 0.0], 125.0));
    options.frame = 1;
    let model = look(&bytes, &options).unwrap();
    assert_eq!((model.frames, model.side), (2, 100.0));
    options.frame = 2;
    assert!(matches!(look(&bytes, &options).unwrap().shape, Err(Error::Content(_))));
}
