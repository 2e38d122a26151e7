package import Handoff

extension Latest<Config> {
    /// Reads this config, which is in effect, and that of the file, both as they are between two edits to the file.
    ///
    /// ``ConfigReloader`` publishes the config of the file while it changes this one. So an edit that comes between the
    /// two reads changes the revision, and one that is under way delays the last read of the revision until it is
    /// complete.
    package func read(with configured: Latest<Config>) -> (live: Config, configured: Config) {
        while true {
            let before = revision
            let configs = (live: value, configured: configured.value)
            if revision == before { return configs }
        }
    }
}
