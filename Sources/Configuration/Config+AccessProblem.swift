extension Config.Web {
    /// What is wrong with who may come in, and the key that says it; nil: nothing is.
    var accessProblem: (key: [String], message: String)? {
        if viewToken != nil, token == nil {
            return (["web", "view_token"], "it needs web.token beside it, for those who may change something")
        }
        if let token, token == viewToken {
            return (["web", "view_token"], "it is the same as web.token; those who may only look need another one")
        }
        guard token == nil, IPAddress(address)?.isLoopback == false else { return nil }
        return (
            ["web", "address"],
            "\(address.quoted()) lets others in, and that needs web.token; `swatchcam token` prints one"
        )
    }
}
