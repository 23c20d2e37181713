//! `integrations/action/install`: the action for workflows installs a release that has the right checksum,
//! and no other.

use std::process::{Command, Output};

use testutils::Folder;

const INSTALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/action/install");
const NAME: &str = "quakefs-1.2.3-x86_64-unknown-linux-gnu";

/// Runs shell commands in a folder.
fn shell(folder: &Folder, script: &str) -> Output {
    let output = Command::new("bash").args(["-euc", script]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A release with a command that only prints its name.
fn release() -> Folder {
    let folder = Folder::with([(&*format!("made/{NAME}/quakefs"), "#!/bin/sh\necho quakefs 1.2.3\n")]);
    let script = format!(
        "chmod +x made/{NAME}/quakefs && mkdir -p releases/v1.2.3 temp && cd releases/v1.2.3
        tar -czf {NAME}.tar.gz -C ../../made {NAME} && sha256sum *.tar.gz >SHA256SUMS"
    );
    shell(&folder, &script);
    folder
}

fn install(folder: &Folder, version: &str, sha256: &str) -> (bool, String) {
    let mut command = testutils::command(INSTALL);
    let place = folder.path();
    command.env("PATH", "/usr/bin:/bin").env("RELEASES", format!("file://{place}/releases"));
    command.env("VERSION", version).env("SHA256", sha256).env("RUNNER_OS", "Linux").env("RUNNER_ARCH", "X64");
    command.env("RUNNER_TEMP", place.join("temp")).env("GITHUB_PATH", place.join("path"));
    let answer = command.output().unwrap();
    (answer.status.success(), String::from_utf8(answer.stdout).unwrap())
}

#[testneeds::program("bash", "curl", "tar", "sha256sum")]
#[test]
fn the_action_installs_a_release_with_the_right_checksum() {
    let folder = release();
    assert_eq!(install(&folder, "1.2.3", ""), (true, "quakefs 1.2.3\n".to_owned()));
    let path = std::fs::read_to_string(folder.join("path")).unwrap();
    assert_eq!(path.trim_end(), folder.join("temp/quakefs").join(NAME));
    let sum = shell(&folder, "cut -d' ' -f1 releases/v1.2.3/SHA256SUMS").stdout;
    assert!(install(&folder, "1.2.3", std::str::from_utf8(&sum).unwrap().trim()).0);
}

#[testneeds::program("bash", "curl", "tar", "sha256sum")]
#[test]
fn the_action_refuses_other_checksums_and_what_is_no_version() {
    let folder = release();
    let refused = |version: &str, sha256: &str| {
        let (success, text) = install(&folder, version, sha256);
        assert!(!success && text.starts_with("::error title=quakefs::"), "{version}: {text}");
    };
    refused("1.2.3", "0123");
    refused("1.2.4", "");
    refused("../v1.2.3", "");
    refused("", "");
    // an archive that is not in the list
    folder.write("releases/v1.2.3/SHA256SUMS", "");
    refused("1.2.3", "");
    folder.write("releases/v1.2.3/SHA256SUMS", format!("{}  {NAME}.tar.gz\n", "0".repeat(64)));
    refused("1.2.3", "");
    assert!(!folder.join("path").exists());
}
