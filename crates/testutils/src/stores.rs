//! Installed games, in the folders of the stores.

use pak_format::Layout;

use crate::{Folder, pack, zip};

/// A folder with a `home` folder, the `root` of a system, and games of several stores. Two lists are damaged.
///
/// Steam has Quake in both editions, the original with names in upper case, Quake II in another library, and
/// a game that was removed; its Flatpak has Hexen II. GOG has SiN and Daikatana, Heroic has Quake III Arena,
/// Epic has a remastered Quake, and packages of the system contain Quake, Half-Life and three free games.
#[must_use]
pub fn stores() -> Folder {
    let folder = Folder::new();
    let at = |path: &str| folder.join(path).to_string();
    let pak = pack(Layout::Quake, [("default.cfg", "")]);
    let game = |base: &str, files: &[&str]| {
        for file in files {
            let content = match file.rsplit('.').next() {
                Some("pk3") => zip([("default.cfg", "")]),
                Some("sin") => pack(Layout::Sin, [("default.cfg", "")]),
                _ if base.ends_with("data") => pack(Layout::Daikatana, [("default.cfg", "")]),
                _ => pak.clone(),
            };
            folder.write(&format!("{base}/{file}"), content);
        }
    };

    let steam = "home/.local/share/Steam";
    library_folders(&folder, steam, &[at(steam), at("disk/SteamLibrary"), at("unplugged/SteamLibrary")]);
    manifest(&folder, steam, 2310, "Quake");
    manifest(&folder, steam, 620, "Portal 2");
    manifest(&folder, steam, 400, "Portal");
    folder.write(&format!("{steam}/steamapps/appmanifest_70.acf"), "\"AppState\"\n{\n\t\"appid\"");
    folder.write(&format!("{steam}/steamapps/common/Portal 2/portal2/pak01_dir.vpk"), "");
    let quake = format!("{steam}/steamapps/common/Quake");
    game(&quake, &["Id1/PAK0.PAK", "Id1/PAK1.PAK", "hipnotic/pak0.pak", "rogue/pak0.pak"]);
    let remaster = ["QuakeEX.kpf", "id1/pak0.pak", "dopa/pak0.pak", "mg1/pak0.pak", "mg3/pak0.pak"];
    game(&format!("{quake}/rerelease"), &remaster);
    // downloads of Nightdive's engine, in Proton's Windows
    let downloads = format!("{steam}/steamapps/compatdata/2310/pfx/drive_c/users/steamuser/{DOWNLOADS}");
    game(&downloads, &["addon1/pak0.pak"]);
    manifest(&folder, "disk/SteamLibrary", 2320, "Quake 2");
    let quake2 = ["baseq2/pak0.pak", "xatrix/pak0.pak", "rerelease/Q2Game.kpf", "rerelease/baseq2/pak0.pak"];
    game("disk/SteamLibrary/steamapps/common/Quake 2", &quake2);

    let flatpak = "home/.var/app/com.valvesoftware.Steam/.local/share/Steam";
    manifest(&folder, flatpak, 9060, "Hexen 2");
    game(&format!("{flatpak}/steamapps/common/Hexen 2"), &["data1/pak0.pak", "portals/pak3.pak"]);

    game("home/GOG Games/SiN Gold", &["base/pak0.sin", "2015/pak0.sin"]);
    game("home/GOG Games/Daikatana/game/data", &["pak1.pak"]);
    let heroic = format!(r#"{{"installed":[{{"appName":"1","install_path":"{}"}}]}}"#, at("heroic/Quake 3"));
    folder.write("home/.config/heroic/gog_store/installed.json", heroic);
    game("heroic/Quake 3", &["baseq3/pak0.pk3", "missionpack/pak0.pk3"]);
    folder.write("home/.config/legendary/installed.json", "{ broken");
    let epic = format!(r#"{{"DisplayName":"Quake","InstallLocation":"{}"}}"#, at("epic/Quake"));
    folder.write("system/ProgramData/Epic/EpicGamesLauncher/Data/Manifests/1A.item", epic);
    game("epic/Quake/rerelease", &["QuakeEX.kpf", "id1/pak0.pak"]);

    game("system/usr/share/games/quake", &["id1/pak0.pak", "hipnotic/pak0.pak"]);
    game("system/usr/share/games/half-life", &["valve/liblist.gam", "gearbox/liblist.gam"]);
    game("system/usr/share/games/nexuiz", &["data/data.pk3", "data/textures.pk3"]);
    game("system/usr/share/games/openarena", &["baseoa/pak0.pk3", "missionpack/mp-pak0.pk3"]);
    game("system/usr/share/games/xonotic", &["data/xonotic-20230620-data.pk3"]);
    folder
}

/// The download folder of Nightdive's engine, below the folder of the user.
const DOWNLOADS: &str = "Saved Games/Nightdive Studios/Quake";

/// The list of libraries in Steam's own folder.
fn library_folders(folder: &Folder, steam: &str, libraries: &[String]) {
    let libraries = libraries.iter().enumerate().map(|(number, library)| {
        format!("\t\"{number}\"\n\t{{\n\t\t\"path\"\t\t\"{library}\"\n\t\t\"apps\"\n\t\t{{\n\t\t}}\n\t}}\n")
    });
    let text = format!("\"libraryfolders\"\n{{\n{}}}\n", libraries.collect::<String>());
    folder.write(&format!("{steam}/steamapps/libraryfolders.vdf"), text);
}

/// The manifest of an app in a library of Steam.
fn manifest(folder: &Folder, library: &str, app: u32, name: &str) {
    let text = format!(
        "\"AppState\"\n{{\n\t\"appid\"\t\t\"{app}\"\n\t\"name\"\t\t\"{name}\"\n\t\"StateFlags\"\t\t\"4\"\n\t\"installdir\"\t\t\"{name}\"\n}}\n"
    );
    folder.write(&format!("{library}/steamapps/appmanifest_{app}.acf"), text);
}
