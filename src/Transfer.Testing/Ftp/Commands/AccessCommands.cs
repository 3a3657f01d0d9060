namespace Transfer.Testing.Ftp.Commands;

/// <summary>Log-in and log-out (RFC 959 4.1.1, RFC 7151).</summary>
internal static class AccessCommands
{
    public static IEnumerable<KeyValuePair<string, CommandEntry>> All =>
    [
        new("USER", new(UserAsync, NeedsLogin: false, NeedsArgument: true)),
        new("PASS", new(PassAsync, NeedsLogin: false)),
        new("ACCT", new(AccountAsync, NeedsLogin: false)),
        new("HOST", new(HostAsync, NeedsLogin: false, NeedsArgument: true)),
        new("CLNT", new((session, _, ct) => session.ReplyAsync(200, "Noted.", ct).AsTask(), NeedsLogin: false)),
        new("REIN", new(ReinitializeAsync, NeedsLogin: false)),
        new("QUIT", new(QuitAsync, NeedsLogin: false)),
    ];

    private static async Task UserAsync(FtpSession session, string argument, CancellationToken ct)
    {
        if (session.Options.RequireTls && !session.IsProtected)
        {
            await session.ReplyAsync(530, "Sessions must use encryption.", ct).ConfigureAwait(false);
            return;
        }

        LogOut(session);
        session.State.User = argument;
        await session.ReplyAsync(331, "Password please.", ct).ConfigureAwait(false);
    }

    private static async Task PassAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var state = session.State;
        var (code, text) = (503, "USER first.");
        if (state.User is { } user && !state.IsLoggedIn)
        {
            var known = session.Options.Users.TryGetValue(user, out var password) && (password.Length == 0 || password == argument);
            if (!known) (code, text) = (530, "Login incorrect.");
            else if (session.Options.Account is not null) (code, text, state.NeedsAccount) = (332, "Account please.", true);
            else (code, text) = LogIn(session, user);
        }

        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static async Task AccountAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var state = session.State;
        var (code, text) = (202, "No account is needed.");
        if (state.NeedsAccount)
        {
            if (argument == session.Options.Account) (code, text) = LogIn(session, state.User!);
            else (code, text) = (530, "Login incorrect.");
        }

        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static async Task HostAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var (code, text) = session.State.IsLoggedIn ? (503, "HOST must come before the log-in.") : (220, $"Host {argument}");
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static async Task ReinitializeAsync(FtpSession session, string argument, CancellationToken ct)
    {
        LogOut(session);
        session.State.User = null;
        session.State.Folder = session.Resolve(session.Options.HomeDirectory);
        session.State.IsBinary = session.State.IsDeflated = session.State.Data.IsExtendedOnly = false;
        await session.State.Data.DropSetupAsync().ConfigureAwait(false);
        await session.ReplyAsync(220, "Ready for a new user.", ct).ConfigureAwait(false);
    }

    private static async Task QuitAsync(FtpSession session, string argument, CancellationToken ct)
    {
        session.End();
        await session.ReplyAsync(221, "Goodbye.", ct).ConfigureAwait(false);
    }

    private static (int Code, string Text) LogIn(FtpSession session, string user)
    {
        if (!session.Core.Counts.LogIn(user)) return (530, "Too many sessions of this user.");
        session.State.IsLoggedIn = true;
        session.State.NeedsAccount = false;
        return (230, "Logged in.");
    }

    /// <summary>Returns the user's place; also called at the session's end.</summary>
    public static void LogOut(FtpSession session)
    {
        if (session.State.IsLoggedIn) session.Core.Counts.LogOut(session.State.User!);
        session.State.IsLoggedIn = session.State.NeedsAccount = false;
    }
}
