//! `.shader`: the materials of Quake III.

use crate::lexer::Tokens;

/// Reads the shaders of a text, in order. A shader that the text cuts off is incomplete.
///
/// Source: `tr_shader.c` of Quake III (`ParseShader`, `ParseStage`, `ParseSkyParms`).
///
/// ```
/// let text = b"textures/a { qer_editorimage x.tga\n { map textures/a.tga\n } }";
/// let shader = quake_content::shader::parse(text).next().expect("one shader");
/// assert_eq!(shader.name, b"textures/a");
/// assert_eq!(shader.images[0].name, b"textures/a.tga");
/// ```
pub fn parse(text: &[u8]) -> impl Iterator<Item = Shader<'_>> + Clone {
    Shaders { tokens: Tokens::of_words(text) }
}

#[derive(Clone, Debug)]
struct Shaders<'a> {
    tokens: Tokens<'a>,
}

/// A shader.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shader<'a> {
    /// The name of a texture without extension.
    pub name: &'a [u8],
    /// The images that the game loads, in the order of the text.
    pub images: Vec<ShaderImage<'a>>,
}

/// An image that a shader names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShaderImage<'a> {
    /// The name, with or without extension.
    pub name: &'a [u8],
    /// The line, counted from 1.
    pub line: usize,
    /// Whether the name is the common start of the six names of a sky box (`skyparms`), not that of a stage.
    pub is_sky_box: bool,
}

impl<'a> Shaders<'a> {
    fn on_this_line(&mut self) -> Option<(&'a [u8], usize)> {
        self.tokens.on_this_line().map(|token| (token.text, token.line))
    }
}

impl<'a> Iterator for Shaders<'a> {
    type Item = Shader<'a>;

    fn next(&mut self) -> Option<Shader<'a>> {
        let mut shader = Shader { name: self.tokens.next()?.text, images: Vec::new() };
        if !self.tokens.next()?.is(b"{") {
            return Some(shader);
        }
        let mut depth = 1_usize;
        while depth > 0 {
            let Some(word) = self.tokens.next() else { break };
            let is = |name: &[u8]| word.text.eq_ignore_ascii_case(name);
            if word.is(b"{") {
                depth += 1;
            } else if word.is(b"}") {
                depth -= 1;
            } else if depth > 1 && (is(b"map") || is(b"clampmap")) {
                shader.add(self.on_this_line(), false);
            } else if depth > 1 && is(b"animmap") {
                // the first word is the number of images per second
                self.on_this_line();
                while let Some(image) = self.on_this_line() {
                    shader.add(Some(image), false);
                }
            } else if depth == 1 && is(b"skyparms") {
                // far box, cloud height, near box
                let [far, _, near] = [(); 3].map(|()| self.on_this_line());
                shader.add(far, true);
                shader.add(near, true);
            }
        }
        Some(shader)
    }
}

impl<'a> Shader<'a> {
    /// Adds an image, except those that the engine makes itself (`$lightmap`, `$whiteimage`) and `-` for
    /// none.
    fn add(&mut self, image: Option<(&'a [u8], usize)>, is_sky_box: bool) {
        let Some((name, line)) = image else { return };
        if !name.starts_with(b"$") && !name.starts_with(b"*") && name != b"-" {
            self.images.push(ShaderImage { name, line, is_sky_box });
        }
    }
}
