using Transfer.Batch;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>What send does for recipients who fetch.</summary>
internal static class SpoolSend
{
    // Each has an archive in memory.
    private const int MostSessions = 64;

    public static async Task<int> RunAsync(Invocation invocation, string source, string url, CancellationToken ct)
    {
        var own = invocation.Options;
        if (url.StartsWith(BatchAddress.Scheme + ":", StringComparison.OrdinalIgnoreCase))
        {
            throw new UsageException(
                $"{invocation.Given(own.Spool.Sending)} is for spools, and {BatchAddress.Scheme}: is the address of one receiver.");
        }

        if (invocation.Given([own.TokenFile]) is { } token) throw new UsageException($"{token} is for receivers, and a spool has none.");
        if (invocation.Given([own.NoDelta]) is { } whole)
            throw new UsageException($"{whole} is for receivers: to a spool files go whole unless {own.Spool.Delta.Name} is given.");
        if (invocation.Flag(own.Spool.Delta) && invocation.Values(own.Spool.To) is [])
            throw new UsageException($"{own.Spool.Delta.Name} is for those who fetch: --to NAME.");
        if (invocation.Values(own.Spool.To) is not { Count: > 0 } names)
            throw new UsageException("send to a spool needs recipients: --to NAME.");
        using var key = await KeyAsync(invocation, "send --to", isNew: true, ct);
        var to = await RecipientsAsync(names, key, ct);
        var (deadline, size) = (own.Spool.ReadDeadline(invocation.Value(own.Spool.Deadline)), invocation.ArchiveSize);
        await using var place = await SpoolPlace.OpenAsync(invocation, url, "send", ct);
        var options = Read(invocation) with { Deadline = deadline, ArchiveBytes = size };
        var step = TransferStep.Job(source, [place.Client], TransferStep.Prefix(source), run =>
            new SpoolSender(place.Client, place.Path, key, options).StartSend(source, to, readItems: true, run.Progress, run.Abort));
        using var runner = new TransferRunner(invocation, parallel: 1, grace: invocation.Transfer.Grace);
        return await runner.RunAsync("Sending", _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
    }

    /// <summary>The key of a verb: that in a file, or the passphrase that is shared.</summary>
    /// <param name="invocation">The verb's run.</param>
    /// <param name="verb">What it is called.</param>
    /// <param name="isNew">Something is sealed with it.</param>
    /// <param name="ct">Cancels.</param>
    public static async ValueTask<SpoolKey> KeyAsync(Invocation invocation, string verb, bool isNew, CancellationToken ct)
    {
        var own = invocation.Options.Spool;
        var passphrase = invocation.Passphrase;
        if (invocation.Value(own.KeyFile) is { } file)
        {
            if (invocation.Flag(own.Passphrase))
                throw new UsageException($"{own.Passphrase.Name} is for those who share no key, and contradicts {own.KeyFile.Name}.");
            return await new SpoolKeyFile(passphrase).ReadAsync(file, ct);
        }
        if (invocation.Given([own.Passphrase, own.PassphraseFile]) is null)
        {
            throw new UsageException(
                $"{verb} needs your key: {own.KeyFile.Name} FILE, which transfer key makes; or {own.Passphrase.Name}.");
        }

        try
        {
            return SpoolKey.FromPassphrase(await passphrase.FindAsync("the job", isNew, ct));
        }
        catch (ArgumentException)
        {
            throw new UsageException("The passphrase is no text.");
        }
    }

    /// <summary>Where verbs of spools remember things.</summary>
    public static string State(Invocation invocation, string verb) =>
        StateFolder.Find(invocation.Host, "spool")
            ?? throw new UsageException($"{verb} needs a folder to remember things in: set XDG_STATE_HOME.");

    /// <summary>Archives at once; null: as many as usual.</summary>
    public static int? Sessions(Invocation invocation) =>
        ConnectionSettings.ParseSessions(invocation.Value(invocation.Options.Sessions)) is { } sessions
        ? Math.Min(sessions, MostSessions) : null;

    private static async ValueTask<List<SpoolRecipient>> RecipientsAsync(IReadOnlyList<string> names, SpoolKey key, CancellationToken ct)
    {
        var recipients = new List<SpoolRecipient>();
        foreach (var text in names)
        {
            var parts = text.Split('=', 2);
            if (key.Public is null && parts.Length > 1)
                throw new UsageException("--to: the key is shared, so recipients have none of their own.");
            if (key.Public is not null && parts.Length == 1)
                throw new UsageException($"--to {text} has no key: --to {text}=FILE, or {text}=p256:...");
            if (!SpoolRecipient.IsName(parts[0]) || recipients.Exists(one => one.Name == parts[0]))
                throw new UsageException("--to wants names of 1 to 64 characters, each once.");
            recipients.Add(new SpoolRecipient(parts[0],
                parts.Length == 1 ? null : await SpoolKeyFile.ReadPublicAsync("--to " + parts[0], parts[1], ct)));
        }
        return recipients;
    }

    private static SpoolSenderOptions Read(Invocation invocation)
    {
        var (transfer, own) = (invocation.Transfer, invocation.Options);
        var options = new SpoolSenderOptions
        {
            StateFolder = State(invocation, "send --to"),
            Resume = transfer.Resume,
            Filter = transfer.Filter,
            Links = invocation.Value(own.Links) is null ? LinkHandling.Copy : transfer.Links,
            Compress = !invocation.Flag(own.NoCompression),
            Deltas = invocation.Flag(own.Spool.Delta),
            LoggerFactory = invocation.CreateLoggers(),
            TimeProvider = invocation.Host.TimeProvider,
        };
        return Sessions(invocation) is { } sessions ? options with { Sessions = sessions } : options;
    }
}
