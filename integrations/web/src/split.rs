//! Splits a module in two: `quakefs-split [--names] MODULE FOLDER SECOND...`. The functions and data that only the exports SECOND need become
//! `FOLDER/second.wasm`; all others become `FOLDER/core.wasm`. The second module uses the memory, the table and the functions of the
//! first, which it imports from `core`.
//!
//! The linker's option `--emit-relocs` tells which function or data each number in the module means, so that no instruction needs to be
//! understood. The format is in `Linking.md` of WebAssembly's tool conventions.

#![expect(clippy::disallowed_methods, reason = "a program reads its arguments")]
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "the module comes from the linker, and a panic ends the build"
)]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::ops::Range;
use std::path::Path;

fn main() -> io::Result<()> {
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    let named = arguments.first().is_some_and(|first| first == "--names");
    arguments.drain(..usize::from(named));
    let [module, folder, second @ ..] = &*arguments else {
        return Err(io::Error::other("usage: quakefs-split [--names] MODULE FOLDER SECOND..."));
    };
    let mut module = Module::read(&std::fs::read(module)?);
    if !named {
        module.names.clear();
    }
    let split = Split::new(&module, second);
    std::fs::create_dir_all(folder)?;
    std::fs::write(Path::new(folder).join("core.wasm"), split.core())?;
    std::fs::write(Path::new(folder).join("second.wasm"), split.second())
}

/// Sections by their numbers.
const TYPES: u8 = 1;
const IMPORTS: u8 = 2;
const FUNCTIONS: u8 = 3;
const TABLES: u8 = 4;
const MEMORIES: u8 = 5;
const GLOBALS: u8 = 6;
const EXPORTS: u8 = 7;
const ELEMENTS: u8 = 9;
const CODE: u8 = 10;
const DATA: u8 = 11;

/// Kinds of imports, exports and symbols.
const FUNCTION: u8 = 0;
const TABLE: u8 = 1;
const MEMORY: u8 = 2;
const GLOBAL: u8 = 3;

/// A place in bytes.
struct Reader<'b>(&'b [u8], usize);

impl<'b> Reader<'b> {
    fn byte(&mut self) -> u8 {
        self.1 += 1;
        self.0[self.1 - 1]
    }

    fn number(&mut self) -> usize {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return value;
            }
        }
    }

    fn bytes(&mut self) -> &'b [u8] {
        let length = self.number();
        self.1 += length;
        &self.0[self.1 - length..self.1]
    }

    fn text(&mut self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    fn is_at_end(&self) -> bool {
        self.1 >= self.0.len()
    }
}

/// A function or a piece of data that others refer to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Node {
    Function(usize),
    /// A data symbol.
    Data(usize),
}

/// A number in a section that means a function or data.
struct Reference {
    at: usize,
    means: Means,
}

enum Means {
    Call(usize),
    Slot(usize, Width),
    Address(usize),
}

#[derive(Clone, Copy)]
enum Width {
    Leb,
    Fixed,
}

#[derive(Default)]
struct Module {
    sections: BTreeMap<u8, Vec<u8>>,
    /// The imported functions: module, name and type.
    imports: Vec<(String, String, usize)>,
    /// The types of the defined functions, and their bodies in the code section.
    types: Vec<usize>,
    bodies: Vec<Range<usize>>,
    exports: Vec<(String, u8, usize)>,
    names: HashMap<usize, String>,
    globals: usize,
    /// The address and the bytes of each segment in the data section.
    segments: Vec<(usize, Range<usize>)>,
    /// The data symbols: ranges in the data section.
    symbols: HashMap<usize, Range<usize>>,
    code: Vec<Reference>,
    data: Vec<Reference>,
}

impl Module {
    fn read(bytes: &[u8]) -> Module {
        let mut module = Module::default();
        let (mut linking, mut relocations, mut order) = (Vec::new(), Vec::new(), Vec::new());
        let mut reader = Reader(bytes, 8);
        while !reader.is_at_end() {
            let kind = reader.byte();
            let content = reader.bytes();
            order.push(kind);
            if kind != 0 {
                module.sections.insert(kind, content.to_vec());
                continue;
            }
            let mut custom = Reader(content, 0);
            match &*custom.text() {
                "linking" => linking = content[custom.1..].to_vec(),
                name if name.starts_with("reloc.") => relocations.push(content[custom.1..].to_vec()),
                "name" => module.read_names(&content[custom.1..]),
                _ => {}
            }
        }
        module.read_sections();
        let symbols = module.read_symbols(&linking);
        for section in &relocations {
            let mut reader = Reader(section, 0);
            let of = order[reader.number()];
            for _ in 0..reader.number() {
                let (kind, at, symbol) = (reader.byte(), reader.number(), reader.number());
                if matches!(kind, 3..=5 | 8 | 9 | 11 | 21) {
                    reader.number();
                }
                let means = match kind {
                    0 => Means::Call(symbols[&symbol]),
                    1 => Means::Slot(symbols[&symbol], Width::Leb),
                    2 => Means::Slot(symbols[&symbol], Width::Fixed),
                    3..=5 => Means::Address(symbol),
                    // types and globals keep their numbers, and there is one table
                    6 | 7 | 20 => continue,
                    _ => panic!("relocations of kind {kind} are not known"),
                };
                match of {
                    CODE => module.code.push(Reference { at, means }),
                    DATA => module.data.push(Reference { at, means }),
                    _ => {}
                }
            }
        }
        module
    }

    fn section(&self, kind: u8) -> Reader<'_> {
        Reader(self.sections.get(&kind).map_or(&[0], |section| &**section), 0)
    }

    fn read_sections(&mut self) {
        let mut reader = self.section(IMPORTS);
        let mut imports = Vec::new();
        for _ in 0..reader.number() {
            let (from, name) = (reader.text(), reader.text());
            assert_eq!(reader.byte(), FUNCTION, "{name}: only functions are imported");
            imports.push((from, name, reader.number()));
        }
        let mut reader = self.section(FUNCTIONS);
        let types = (0..reader.number()).map(|_| reader.number()).collect();
        let mut reader = self.section(CODE);
        let mut bodies = Vec::new();
        for _ in 0..reader.number() {
            let length = reader.bytes().len();
            bodies.push(reader.1 - length..reader.1);
        }
        let mut reader = self.section(EXPORTS);
        let exports = (0..reader.number()).map(|_| (reader.text(), reader.byte(), reader.number())).collect();
        let globals = self.section(GLOBALS).number();
        let mut reader = self.section(DATA);
        let mut segments = Vec::new();
        for _ in 0..reader.number() {
            assert_eq!(reader.byte(), 0, "segments are active");
            assert_eq!(reader.byte(), 0x41, "their addresses are constants");
            let address = reader.number();
            assert_eq!(reader.byte(), 0x0b);
            let length = reader.bytes().len();
            segments.push((address, reader.1 - length..reader.1));
        }
        (self.imports, self.types, self.bodies) = (imports, types, bodies);
        (self.exports, self.globals, self.segments) = (exports, globals, segments);
    }

    fn read_names(&mut self, names: &[u8]) {
        let mut reader = Reader(names, 0);
        while !reader.is_at_end() {
            let kind = reader.byte();
            let mut part = Reader(reader.bytes(), 0);
            if kind == 1 {
                self.names = (0..part.number()).map(|_| (part.number(), part.text())).collect();
            }
        }
    }

    /// The functions by their symbols.
    fn read_symbols(&mut self, linking: &[u8]) -> HashMap<usize, usize> {
        /// Flags of symbols.
        const UNDEFINED: usize = 0x10;
        const NAMED: usize = 0x40;
        const ABSOLUTE: usize = 0x200;
        let mut functions = HashMap::new();
        let mut reader = Reader(linking, 0);
        assert_eq!(reader.number(), 2, "the version of the linking section");
        while !reader.is_at_end() {
            let kind = reader.byte();
            let mut part = Reader(reader.bytes(), 0);
            if kind != 8 {
                continue;
            }
            for symbol in 0..part.number() {
                let (kind, flags) = (part.byte(), part.number());
                match kind {
                    1 => {
                        part.text();
                        if flags & UNDEFINED == 0 {
                            let (segment, offset, size) = (part.number(), part.number(), part.number());
                            // data that begins as zeroes has no segment
                            if let Some((_, range)) =
                                self.segments.get(segment).filter(|_| flags & ABSOLUTE == 0)
                            {
                                let start = range.start + offset;
                                self.symbols.insert(symbol, start..(start + size).min(range.end));
                            }
                        }
                    }
                    3 => {
                        part.number();
                    }
                    _ => {
                        let index = part.number();
                        if flags & UNDEFINED == 0 || flags & NAMED != 0 {
                            part.text();
                        }
                        if kind == 0 {
                            functions.insert(symbol, index);
                        }
                    }
                }
            }
        }
        functions
    }

    /// The references in a range of a section.
    fn within<'r>(references: &'r [Reference], range: &Range<usize>) -> impl Iterator<Item = &'r Reference> {
        let start = references.partition_point(|one| one.at < range.start);
        let end = range.end;
        references[start..].iter().take_while(move |one| one.at < end)
    }

    fn body(&self, function: usize) -> Option<&Range<usize>> {
        self.bodies.get(function.checked_sub(self.imports.len())?)
    }

    /// The references of a node.
    fn references(&self, node: Node) -> Vec<&Reference> {
        match node {
            Node::Function(function) => {
                self.body(function).into_iter().flat_map(|body| Self::within(&self.code, body)).collect()
            }
            Node::Data(symbol) => self
                .symbols
                .get(&symbol)
                .into_iter()
                .flat_map(|range| Self::within(&self.data, range))
                .collect(),
        }
    }

    /// All nodes that exports need.
    fn reached(&self, roots: impl Iterator<Item = usize>) -> BTreeSet<Node> {
        let mut found: BTreeSet<_> = roots.map(Node::Function).collect();
        let mut open: Vec<_> = found.iter().copied().collect();
        while let Some(node) = open.pop() {
            for reference in self.references(node) {
                let node = match reference.means {
                    Means::Call(function) | Means::Slot(function, _) => Node::Function(function),
                    Means::Address(symbol) => Node::Data(symbol),
                };
                if found.insert(node) {
                    open.push(node);
                }
            }
        }
        found
    }
}

/// A module in two parts.
struct Split<'m> {
    module: &'m Module,
    second: &'m [String],
    /// The functions of each part, in the order of the module. The first part also has the imports.
    functions: [Vec<usize>; 2],
    /// The functions that the second part imports.
    shared: Vec<usize>,
    /// The slot of each function in the table; each part fills its own.
    slots: [Vec<usize>; 2],
    /// For each byte of the data section, the part that needs it, plus 1.
    owners: Vec<u8>,
}

impl<'m> Split<'m> {
    fn new(module: &'m Module, second: &'m [String]) -> Self {
        let roots = |of_second| {
            let exports = module
                .exports
                .iter()
                .filter(move |(name, kind, _)| *kind == FUNCTION && second.contains(name) == of_second);
            exports.map(|(_, _, function)| *function)
        };
        let first = module.reached(roots(false));
        let all = module.reached(roots(true));
        let only: BTreeSet<_> = all.difference(&first).copied().collect();
        let functions = |nodes: &BTreeSet<Node>| -> Vec<usize> {
            let functions = nodes.iter().filter_map(|node| match node {
                Node::Function(function) => Some(*function),
                Node::Data(_) => None,
            });
            functions.filter(|function| *function >= module.imports.len()).collect()
        };
        let slots = |nodes: &BTreeSet<Node>| -> BTreeSet<usize> {
            let references = nodes.iter().flat_map(|node| module.references(*node));
            references
                .filter_map(|reference| match reference.means {
                    Means::Slot(function, _) => Some(function),
                    _ => None,
                })
                .collect()
        };
        let of_first = slots(&first);
        let of_second: Vec<_> = slots(&only).difference(&of_first).copied().collect();
        let mut shared: BTreeSet<_> = of_second.iter().copied().collect();
        for node in &only {
            shared.extend(module.references(*node).iter().filter_map(|reference| match reference.means {
                Means::Call(function) => Some(function),
                _ => None,
            }));
        }
        shared.retain(|function| !only.contains(&Node::Function(*function)));
        let mut owners = vec![0; module.section(DATA).0.len()];
        for (nodes, owner) in [(&only, 2), (&first, 1)] {
            for node in nodes {
                if let Node::Data(symbol) = node
                    && let Some(range) = module.symbols.get(symbol)
                {
                    owners[range.clone()].fill(owner);
                }
            }
        }
        Split {
            functions: [functions(&first), functions(&only)],
            shared: shared.into_iter().collect(),
            slots: [of_first.into_iter().collect(), of_second],
            module,
            second,
            owners,
        }
    }

    fn core(&self) -> Vec<u8> {
        let Module { imports, exports, .. } = self.module;
        let defined = &self.functions[0];
        let numbers: HashMap<_, _> = (0..imports.len()).chain(defined.iter().copied()).zip(0..).collect();
        let mut rows: Vec<_> =
            exports.iter().filter(|(name, _, _)| !self.second.contains(name)).cloned().collect();
        for row in rows.iter_mut().filter(|row| row.1 == FUNCTION) {
            row.2 = numbers[&row.2];
        }
        rows.push(("table".to_owned(), TABLE, 0));
        rows.extend((0..self.module.globals).map(|global| (format!("g{global}"), GLOBAL, global)));
        rows.extend(
            self.shared
                .iter()
                .enumerate()
                .map(|(index, function)| (index.to_string(), FUNCTION, numbers[function])),
        );
        let section = |kind| self.module.section(kind).0.to_vec();
        self.assemble(
            0,
            &numbers,
            defined,
            [
                (IMPORTS, section(IMPORTS)),
                (TABLES, section(TABLES)),
                (MEMORIES, section(MEMORIES)),
                (GLOBALS, section(GLOBALS)),
                (EXPORTS, exported(&rows)),
            ],
        )
    }

    fn second(&self) -> Vec<u8> {
        let Module { imports, exports, .. } = self.module;
        let defined = &self.functions[1];
        let numbers: HashMap<_, _> = self.shared.iter().chain(defined).copied().zip(0..).collect();
        let mut rows: Vec<Vec<u8>> = Vec::new();
        for (index, function) in self.shared.iter().enumerate() {
            let name = index.to_string();
            let (from, name, of) = match imports.get(*function) {
                Some((from, name, of)) => (&**from, &**name, *of),
                None => ("core", &*name, self.module.types[function - imports.len()]),
            };
            rows.push([text(from), text(name), vec![FUNCTION], number(of)].concat());
        }
        // each section has one entry, whose description an import repeats
        let description = |kind| self.module.section(kind).0[1..].to_vec();
        rows.push([text("core"), text("table"), vec![TABLE], description(TABLES)].concat());
        rows.push([text("core"), text("memory"), vec![MEMORY], description(MEMORIES)].concat());
        for (global, of) in self.globals().into_iter().enumerate() {
            rows.push([text("core"), text(&format!("g{global}")), vec![GLOBAL], of.to_vec()].concat());
        }
        let own: Vec<_> = exports
            .iter()
            .filter(|(name, _, _)| self.second.contains(name))
            .map(|(name, kind, function)| (name.clone(), *kind, numbers[function]))
            .collect();
        self.assemble(1, &numbers, defined, [(IMPORTS, list(&rows)), (EXPORTS, exported(&own))])
    }

    /// The type and the mutability of each global.
    fn globals(&self) -> Vec<[u8; 2]> {
        let mut reader = self.module.section(GLOBALS);
        let mut globals = Vec::new();
        for _ in 0..reader.number() {
            globals.push([reader.byte(), reader.byte()]);
            assert_eq!(reader.byte(), 0x41, "globals are constants of 32 bits");
            reader.number();
            assert_eq!(reader.byte(), 0x0b);
        }
        globals
    }

    fn assemble<const N: usize>(
        &self,
        part: usize,
        numbers: &HashMap<usize, usize>,
        defined: &[usize],
        own: [(u8, Vec<u8>); N],
    ) -> Vec<u8> {
        let module = self.module;
        let mut sections = BTreeMap::from(own);
        sections.insert(TYPES, module.section(TYPES).0.to_vec());
        let types = defined.iter().map(|function| number(module.types[function - module.imports.len()]));
        sections.insert(FUNCTIONS, list(&types.collect::<Vec<_>>()));
        // slot 0 is no function
        let first = 1 + if part == 0 { 0 } else { self.slots[0].len() };
        let slots: Vec<_> = self.slots[part].iter().map(|function| number(numbers[function])).collect();
        sections
            .insert(ELEMENTS, [number(1), vec![0, 0x41], number(first), vec![0x0b], list(&slots)].concat());
        let all: HashMap<_, _> = self.slots.iter().flatten().copied().zip(1..).collect();
        let bodies = defined.iter().filter_map(|function| module.body(*function)).map(|body| {
            let code = patched(&module.section(CODE), body, &module.code, numbers, &all);
            [number(code.len()), code].concat()
        });
        sections.insert(CODE, list(&bodies.collect::<Vec<_>>()));
        sections.insert(DATA, self.data(part, &all));
        let mut bytes = b"\0asm\x01\0\0\0".to_vec();
        for (kind, content) in sections {
            bytes.extend([vec![kind], number(content.len()), content].concat());
        }
        let named = numbers.iter().map(|(function, number)| (*number, *function)).collect::<BTreeMap<_, _>>();
        let rows = named.into_iter().filter_map(|(index, function)| {
            Some([number(index), text(module.names.get(&function)?)].concat())
        });
        let rows = list(&rows.collect::<Vec<_>>());
        let content = [text("name"), vec![1], number(rows.len()), rows].concat();
        bytes.extend([vec![0], number(content.len()), content].concat());
        bytes
    }

    /// The data of a part. A short gap costs less than another segment.
    fn data(&self, part: usize, slots: &HashMap<usize, usize>) -> Vec<u8> {
        const GAP: usize = 8;
        let owner = u8::try_from(part).map_or(0, |part| part + 1);
        let mut segments = Vec::new();
        for (address, range) in &self.module.segments {
            let content =
                patched(&self.module.section(DATA), range, &self.module.data, &HashMap::new(), slots);
            let owners = &self.owners[range.clone()];
            let mut at = 0;
            while let Some(start) = (at..owners.len()).find(|at| owners[*at] == owner) {
                let (mut end, mut next) = (start, start);
                while next < owners.len()
                    && next - end <= GAP
                    && (owners[next] == owner || part == 0 || owners[next] == 0)
                {
                    next += 1;
                    if owners[next - 1] == owner {
                        end = next;
                    }
                }
                let bytes = content[start..end].to_vec();
                segments.push(
                    [vec![0, 0x41], signed(address + start), vec![0x0b], number(bytes.len()), bytes].concat(),
                );
                at = end;
            }
        }
        list(&segments)
    }
}

/// A part of a section with the numbers of functions and slots replaced.
fn patched(
    section: &Reader<'_>,
    range: &Range<usize>,
    references: &[Reference],
    numbers: &HashMap<usize, usize>,
    slots: &HashMap<usize, usize>,
) -> Vec<u8> {
    let mut bytes = section.0[range.clone()].to_vec();
    for reference in Module::within(references, range) {
        let at = reference.at - range.start;
        match reference.means {
            Means::Call(function) => bytes[at..at + 5].copy_from_slice(&padded(numbers[&function])),
            Means::Slot(function, Width::Leb) => bytes[at..at + 5].copy_from_slice(&padded(slots[&function])),
            // data that no part needs keeps the slots of functions that no part has
            Means::Slot(function, Width::Fixed) => {
                let slot =
                    u32::try_from(slots.get(&function).copied().unwrap_or_default()).unwrap_or_default();
                bytes[at..at + 4].copy_from_slice(&slot.to_le_bytes());
            }
            Means::Address(_) => {}
        }
    }
    bytes
}

/// A number in five bytes; no table and no module has 2^31 functions, so that signed numbers are the same.
fn padded(value: usize) -> [u8; 5] {
    let byte = |index: usize| u8::try_from(value >> (7 * index) & 0x7f).unwrap_or_default();
    [byte(0) | 0x80, byte(1) | 0x80, byte(2) | 0x80, byte(3) | 0x80, byte(4)]
}

fn number(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = u8::try_from(value & 0x7f).unwrap_or_default();
        value >>= 7;
        bytes.push(if value == 0 { byte } else { byte | 0x80 });
        if value == 0 {
            return bytes;
        }
    }
}

/// A positive number whose last byte does not have the bit of a sign.
fn signed(value: usize) -> Vec<u8> {
    let mut bytes = number(value);
    if let Some(last) = bytes.last_mut().filter(|last| **last & 0x40 != 0) {
        *last |= 0x80;
        bytes.push(0);
    }
    bytes
}

fn text(text: &str) -> Vec<u8> {
    [number(text.len()), text.as_bytes().to_vec()].concat()
}

fn list(rows: &[Vec<u8>]) -> Vec<u8> {
    [number(rows.len()), rows.concat()].concat()
}

fn exported(rows: &[(String, u8, usize)]) -> Vec<u8> {
    let rows: Vec<_> =
        rows.iter().map(|(name, kind, index)| [text(name), vec![*kind], number(*index)].concat()).collect();
    list(&rows)
}
