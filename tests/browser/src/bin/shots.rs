//! Screenshots of a page: `cargo run --bin shots -- report.html FOLDER [DROPPED...]`.

use std::path::PathBuf;

use quakefs_browser::browse;

fn main() {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(file), Some(folder)) = (args.next(), args.next()) else {
        panic!("shots PAGE FOLDER DROPPED...");
    };
    let dropped: Vec<_> = args.collect();
    std::fs::create_dir_all(&folder).unwrap();
    browse(&file, async |page| {
        if !dropped.is_empty() {
            page.screenshot(&folder.join("empty.png")).await;
            page.drop(&dropped.iter().map(PathBuf::as_path).collect::<Vec<_>>()).await;
            page.wait("return document.getElementById('figures').innerText.includes('compared and checked')")
                .await;
            println!("{}", page.text("#status").await);
            page.run("document.querySelector('#games label:last-of-type input')?.click()").await;
            tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        }
        let open = "document.querySelectorAll('#conflicts details')";
        for (name, width, height, dark) in [
            ("light", 1280, 1000, false),
            ("dark", 1280, 1000, true),
            ("tablet", 820, 1100, false),
            ("phone", 390, 844, false),
            ("phone-dark", 390, 844, true),
        ] {
            page.screen(width, height).await;
            page.dark(dark).await;
            page.run("window.scrollTo(0, 0)").await;
            page.screenshot(&folder.join(format!("{name}-top.png"))).await;
            page.run(&format!(
                "const all = {open}; for (const one of [...all].slice(0, 40)) one.open = true; \
                all[0]?.scrollIntoView()"
            ))
            .await;
            tokio::time::sleep(std::time::Duration::from_millis(400)).await;
            page.screenshot(&folder.join(format!("{name}-conflict.png"))).await;
            page.run("document.querySelectorAll('#conflicts details:nth-child(n+3)')[0]?.scrollIntoView()")
                .await;
            page.screenshot(&folder.join(format!("{name}-conflicts.png"))).await;
            page.run("document.getElementById('findings').scrollIntoView()").await;
            page.screenshot(&folder.join(format!("{name}-findings.png"))).await;
            page.run(
                "document.getElementById('files').scrollIntoView(); document.querySelector('#tree \
                [role=treeitem]')?.click()",
            )
            .await;
            page.run("document.querySelector('#tree [role=treeitem]:not([aria-expanded])')?.click()").await;
            tokio::time::sleep(std::time::Duration::from_millis(400)).await;
            page.screenshot(&folder.join(format!("{name}-files.png"))).await;
            page.run(
                "document.querySelector('#details .close')?.click(); document.querySelector('#view \
                input[value=pictures]').click()",
            )
            .await;
            tokio::time::sleep(std::time::Duration::from_millis(400)).await;
            page.screenshot(&folder.join(format!("{name}-gallery.png"))).await;
            page.run("document.querySelector('#view input[value=tree]').click()").await;
        }
    });
}
