//! `.skin`: the shaders of a model's surfaces in Quake III.

use crate::lexer::Tokens;

/// The surfaces that a text names, each with its shader. The engine compares names of surfaces without case.
///
/// Source: `tr_image.c` of Quake III, `RE_RegisterSkin`.
///
/// ```
/// let text = b"tag_head,\nu_torso, models/players/a/body.tga";
/// let surfaces: Vec<_> = quake_content::skin::surfaces(text).collect();
/// assert_eq!(surfaces, [(&b"u_torso"[..], &b"models/players/a/body.tga"[..])]);
/// ```
pub fn surfaces(text: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    /// `MAX_SKIN_SURFACES` of ioquake3.
    const MOST: usize = 256;
    let mut tokens = Tokens::of_list(text);
    let next = move || loop {
        let surface = tokens.next()?.text;
        let mut after = tokens.clone();
        if after.next().is_some_and(|token| token.is(b",")) {
            tokens = after;
        }
        // a tag has a place and no surface
        if !surface.windows(4).any(|part| part == b"tag_") {
            return Some((surface, tokens.next()?.text));
        }
    };
    std::iter::from_fn(next).take(MOST)
}
