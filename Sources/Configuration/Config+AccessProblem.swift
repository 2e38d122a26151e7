extension Config.Web {
    /// The key that makes access impossible or unsafe, and why; nil if there is none.
    var accessProblem: (key: [String], message: String)? {
        if viewToken != nil, token == nil {
            return (["web", "view_token"], "a view token requires web.token, too; `swatchcam token` prints one")
        }
        if let token, token == viewToken {
            return (["web", "view_token"], "this is the same as web.token; set another token for read-only access")
        }
        guard token == nil, IPAddress(address)?.isLoopback == false else { return nil }
        return (
            ["web", "address"],
            "\(address.quoted()) lets other machines connect, which requires web.token; `swatchcam token` prints one"
        )
    }
}
