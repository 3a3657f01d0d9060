using Transfer.Testing.Ftp.Commands;
using Transfer.Testing.Stores;


namespace Transfer.Testing.Ftp;

/// <summary>Finds the handler of a command and runs it if the session may.</summary>
internal static class CommandDispatcher
{
    private static readonly Dictionary<string, CommandEntry> Entries = new[]
    {
        AccessCommands.All, SecurityCommands.All, DataSetupCommands.All, TransferCommands.All, ListCommands.All,
        FolderCommands.All, FileCommands.All, HashCommands.All, InfoCommands.All, ModeCommands.All,
    }.SelectMany(group => group).ToDictionary(StringComparer.Ordinal);

    public static IReadOnlyCollection<string> Verbs => Entries.Keys;

    public static bool IsTransfer(string verb) => Entries.TryGetValue(verb, out var entry) && entry.IsTransfer;

    public static async Task RunAsync(FtpSession session, ControlCommand command, CancellationToken ct)
    {
        var (verb, argument, _) = command.Line;
        if (!Entries.TryGetValue(verb, out var entry))
        {
            await session.ReplyAsync(500, "Unknown command.", ct).ConfigureAwait(false);
            return;
        }

        var refusal = Refusal(session, command, entry);
        if (refusal is not null)
        {
            if (entry.IsTransfer) await session.State.Data.DropSetupAsync().ConfigureAwait(false);
            await session.ReplyAsync(refusal.Value.Code, refusal.Value.Text, ct).ConfigureAwait(false);
            return;
        }

        try
        {
            await entry.Run(session, argument, ct).ConfigureAwait(false);
        }
        catch (Exception e) when (StoreFailure.IsStoreFailure(e))
        {
            if (entry.IsTransfer) await session.State.Data.DropSetupAsync().ConfigureAwait(false);
            var (code, text) = StoreFailure.Reply(e);
            await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
        }
    }

    public static async Task RefuseAsync(FtpSession session, LineFault fault, CancellationToken ct)
    {
        var (code, text) = fault switch
        {
            LineFault.TooLong => (500, "Command line too long."),
            LineFault.NoVerb => (500, "That is no command."),
            _ => (501, "The argument is not in the session's encoding."),
        };
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static (int Code, string Text)? Refusal(FtpSession session, ControlCommand command, CommandEntry entry)
    {
        var (verb, argument, _) = command.Line;
        if (session.Core.IsDisabled(verb, argument)) return (502, "Command not implemented.");
        if (entry.NeedsLogin && !session.State.IsLoggedIn) return (530, "Log in with USER and PASS.");
        if (entry.NeedsArgument && argument.Length == 0) return (501, "An argument is needed.");

        // Later bytes in the clear could be an attacker's, and would pass for protected (CVE-2011-0411's kind).
        if (command.NextStream is not null && command.IsFollowed) return (503, "Nothing may follow in the same write.");
        return null;
    }
}
