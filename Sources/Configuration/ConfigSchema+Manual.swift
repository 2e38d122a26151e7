extension ConfigSchema {
    /// The manual page swatchcam.toml(5), in mdoc(7): what the shipped `config.toml` says, for man(1).
    static var manual: String {
        let introduction = #"""
            .\" Written by ConfigSchema+Manual.swift: do not edit. See CONTRIBUTING.md.
            .Dd November 21, 2026
            .Dt SWATCHCAM.TOML 5
            .Os
            .Sh NAME
            .Nm swatchcam.toml
            .Nd configuration of Swatchcam
            .Sh DESCRIPTION
            The configuration of
            .Xr swatchcam 1
            is a TOML file.
            It is the first one found of those under
            .Sx FILES ,
            alone.
            Every key may be left out; without any file the defaults hold.
            A key that there is not, or a value that cannot be, is told with its line, and nothing starts:
            .Ql swatchcam check
            names every mistake.
            .Pp
            While Swatchcam runs, an edit holds when the file is saved, whole or not at all.
            A mistake changes nothing and is told until it is mended.
            Keys that are marked so wait for a restart.

            """#
        let conclusion = #"""
            .Sh FILES
            .Bl -tag -width Ds -compact
            .It Fl -config Ar file
            .It Pa ./config.toml
            .It Pa $XDG_CONFIG_HOME/swatchcam/config.toml
            .Pa ~/.config
            without that variable
            .It Pa /etc/swatchcam/config.toml
            that of the service, which reads it by its group,
            .Ql swatchcam
            .El
            .Sh EXAMPLES
            A camera that is waited for, whatever others there are, and read in its middle twice a second:
            .Bd -literal -offset indent
            [camera]
            device = "HD Pro Webcam C920"

            [readings]
            rate = 2
            region = [0.25, 0.25, 0.5, 0.5]
            .Ed
            .Sh SEE ALSO
            .Xr swatchcam 1
            .Pp
            .Lk https://toml.io/en/v1.0.0 TOML

            """#
        return introduction + tables.map(manualSection).joined() + conclusion
    }

    private static func manualSection(_ table: [String]) -> String {
        let entries = keys.filter { $0.table == table }.map(manualEntry)
        return ".Ss [\(table.joined(separator: "."))]\n.Bl -tag -width Ds\n" + entries.joined() + ".El\n"
    }

    private static func manualEntry(_ key: ConfigKey) -> String {
        let name = key.isTable ? "[\(key.name)]" : key.leaf
        let restart = key.needsRestart ? ["Holds from the next start."] : []
        let text = mdoc((key.documentation + [facts(key)] + restart).joined(separator: " "))
        let example = key.isTable ? key.example.map { ".Pp\n.Dl \(mdocLine($0))\n" } ?? "" : ""
        return ".It Ic \(name)\n\(text)\(example)"
    }

    /// Prose as lines of mdoc(7), where a sentence begins a line.
    static func mdoc(_ prose: String) -> String {
        prose.replacing(". ", with: ".\n").split(separator: "\n").map { mdocLine(String($0)) + "\n" }.joined()
    }

    /// A line of text that roff(7) takes for nothing else; what is between backquotes is bold.
    private static func mdocLine(_ text: String) -> String {
        let parts = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("~", with: "\\(ti")
            .split(separator: "`", omittingEmptySubsequences: false)
        let line = parts.enumerated().map { $0 % 2 == 1 ? "\\fB\($1)\\fP" : String($1) }.joined()
        return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
