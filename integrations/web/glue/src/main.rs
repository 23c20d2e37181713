//! Runs wasm-bindgen on a module of this workspace: `quakefs-glue MODULE FOLDER` writes `quakefs.wasm` and
//! `glue.js` into a folder.

#![expect(clippy::disallowed_methods, reason = "a program reads its arguments")]

use std::error::Error;
use std::fs;
use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [module, folder] = &*arguments else {
        return Err("usage: quakefs-glue MODULE FOLDER".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).no_modules(true)?.typescript(false).omit_default_module_path(true);
    let mut output = bindgen.remove_name_section(true).remove_producers_section(true).generate_output()?;
    fs::write(Path::new(folder).join("quakefs.wasm"), output.wasm_mut().emit_wasm())?;
    // The script of wasm-bindgen holds one instance of the module. As a function, it makes one for each game:
    // `close` then gives back all memory of a game, and a fault ends only one.
    let glue = format!(
        "/** Starts a compiled module: its classes and its memory. */\n\
         export async function start(module) {{\n{}\n\
         const {{ memory }} = await wasm_bindgen({{ module_or_path: module }});\nreturn {{ ...wasm_bindgen, memory }};\n}}\n",
        output.js()
    );
    fs::write(Path::new(folder).join("glue.js"), glue)?;
    Ok(())
}
