// Fails if anything that it tries succeeds: a program that compiles is one whose macro was held.
extern crate proc_macro;
use proc_macro::TokenStream;
use std::time::Duration;

#[proc_macro]
pub fn reach(_: TokenStream) -> TokenStream {
    let address = "1.1.1.1:443".parse().unwrap();
    if std::net::TcpStream::connect_timeout(&address, Duration::from_millis(300)).is_ok() {
        panic!("reached the network");
    }
    let line: Vec<String> = std::env::args().collect();
    let own = line.iter().find_map(|a| a.strip_prefix("--extern=")?.split_once('=')).map(|p| p.1);
    for place in own.into_iter().chain(["/usr/bin/cc", "/etc/hosts"]) {
        if std::fs::OpenOptions::new().append(true).open(place).is_ok() {
            panic!("reached {place} for writing");
        }
    }
    if std::path::Path::new("/etc/shadow").exists() {
        panic!("reached /etc/shadow");
    }
    TokenStream::new()
}
