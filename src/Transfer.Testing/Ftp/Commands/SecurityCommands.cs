namespace Transfer.Testing.Ftp.Commands;

/// <summary>TLS (RFC 2228 3, RFC 4217).</summary>
internal static class SecurityCommands
{
    public static IEnumerable<KeyValuePair<string, CommandEntry>> All =>
    [
        new("AUTH", new(AuthAsync, NeedsLogin: false, NeedsArgument: true)),
        new("PBSZ", new(BufferSizeAsync, NeedsLogin: false, NeedsArgument: true)),
        new("PROT", new(ProtectionAsync, NeedsLogin: false, NeedsArgument: true)),
        new("CCC", new(ClearAsync)),
    ];

    private static async Task AuthAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var (code, text) = argument.ToUpperInvariant() is not ("TLS" or "TLS-C" or "SSL" or "TLS-P") ? (504, "Only TLS.")
            : session.Tls is null ? (502, "No TLS here.")
            : session.IsProtected ? (503, "TLS is on already.")
            : (234, "Start the TLS handshake.");
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
        if (code == 234) await session.ProtectAsync(ct).ConfigureAwait(false);
    }

    private static async Task BufferSizeAsync(FtpSession session, string argument, CancellationToken ct)
    {
        session.State.Data.HasBufferSize = session.IsProtected;
        var (code, text) = session.IsProtected ? (200, "PBSZ=0") : (503, "AUTH first.");
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static async Task ProtectionAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var level = argument.ToUpperInvariant();
        var (code, text) = !session.State.Data.HasBufferSize ? (503, "PBSZ first.")
            : level is "S" or "E" ? (536, "Only C and P.")
            : level is not ("C" or "P") ? (504, "Unknown protection level.")
            : level == "C" && session.Options.RequireTls ? (534, "Data connections must be protected.")
            : (200, "Protection level set.");
        if (code == 200) session.State.Data.IsProtected = level == "P";
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static async Task ClearAsync(FtpSession session, string argument, CancellationToken ct)
    {
        if (!session.IsProtected)
        {
            await session.ReplyAsync(533, "The control connection is clear already.", ct).ConfigureAwait(false);
            return;
        }

        await session.ReplyAsync(200, "Going on in the clear.", ct).ConfigureAwait(false);
        await session.UnprotectAsync(ct).ConfigureAwait(false);
    }
}
