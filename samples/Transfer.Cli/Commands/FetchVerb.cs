using System.CommandLine;
using Transfer.Batch;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Fetches from a spool.</summary>
internal sealed class FetchVerb() : Verb("fetch", "[OPTIONS] URL DIR",
    "Fetch the jobs that transfer send --to has left for you on a server.")
{
    public override string Details => """
        Takes the jobs in the folder at the URL that are for you, also unfinished ones, unpacks them into the local
        folder, and confirms them at the URL. The last recipient deletes them. Fetched jobs are remembered and never
        taken again. The URL may be a local folder: so a server unpacks the jobs sent to that server.
        A passphrase is in --passphrase-file or TRANSFER_PASSPHRASE, or is typed.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "fetch ftpes://me@ftp.example.com/spool incoming/ --as ann --key-file ann.key --from ben.pub",
        "fetch /srv/ftp/spool /srv/incoming --as server --key-file shared.key --watch",
        "fetch /srv/ftp/spool incoming/ --as ann --passphrase",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Fetching",
            [options.Spool.As, options.Spool.KeyFile, options.Spool.Passphrase, options.Spool.PassphraseFile, options.Spool.From,
            options.Spool.Watch, options.Overwrite, options.Perms, options.Durability, options.Limit]),
        Groups.Login(options), Groups.Connection(options), Groups.Items(options),
    ];

    public override string? Explain(CliOptions options, Option option) =>
        option == options.Sessions
        ? "Sessions with the server, and archives at once. Default: auto, which is 8 archives over as many sessions as pay." : null;

    public override ArgumentSide SideOf(int index, int count) => index == 0 ? ArgumentSide.Either : ArgumentSide.Local;

    public override bool IsForScripts => false;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 2) throw new UsageException("fetch wants the URL of a spool and then a folder.");
        var (url, folder) = (invocation.Paths[0], invocation.Paths[1]);
        if (Scheme.IsUrl(folder)) throw new UsageException($"fetch writes into a folder here, and {UrlRedaction.Redact(folder)} is a URL.");
        if (LocalPath.Find(folder) is { Type: not RemoteEntryType.Directory })
            throw new UsageException($"fetch wants a folder, and {folder} is a file.");
        var own = invocation.Options.Spool;
        var name = invocation.Value(own.As) ?? throw new UsageException("fetch needs your name: --as NAME.");
        if (!SpoolRecipient.IsName(name)) throw new UsageException("--as wants a name of 1 to 64 characters.");
        using var key = await SpoolSend.KeyAsync(invocation, Name, isNew: false, ct);
        var options = await ReadAsync(invocation, key, ct);
        await using var place = await SpoolPlace.OpenAsync(invocation, url, Name, ct);
        var fetcher = new SpoolFetcher(place.Client, place.Path, name, key, options);
        TransferJob? job = null;
        var step = TransferStep.Job(folder, [place.Client], TransferStep.Prefix(folder),
            run => job = fetcher.StartFetch(folder, readItems: true, run.Progress, run.Abort));
        int code;
        do
        {
            using var runner = new TransferRunner(invocation, parallel: 1);
            code = await runner.RunAsync("Fetching", _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
        }
        // Where nothing could be fetched at all the next run would fare no better.
        while (options.Wait && job is not { Completion.IsCompletedSuccessfully: false });
        return code;
    }

    private static async ValueTask<SpoolFetcherOptions> ReadAsync(Invocation invocation, SpoolKey key, CancellationToken ct)
    {
        var own = invocation.Options.Spool;
        var given = invocation.Values(own.From);
        if (key.Public is null && given.Count > 0)
            throw new UsageException("--from: the key is shared, so senders have none of their own.");
        if (key.Public is not null && given.Count == 0)
            throw new UsageException("fetch needs the sender's public key: --from FILE, or --from p256:...");
        var from = new List<SpoolPublicKey>();
        foreach (var text in given) from.Add(await SpoolKeyFile.ReadPublicAsync("--from", text, ct));
        var options = new SpoolFetcherOptions
        {
            StateFolder = SpoolSend.State(invocation, "fetch"),
            Senders = from,
            Wait = invocation.Flag(own.Watch),
            Overwrite = invocation.Transfer.Overwrite,
            PreserveMode = invocation.Transfer.Perms,
            Durability = invocation.Transfer.Durability,
            LoggerFactory = invocation.CreateLoggers(),
            TimeProvider = invocation.Host.TimeProvider,
        };
        return SpoolSend.Sessions(invocation) is { } sessions ? options with { Sessions = sessions } : options;
    }
}
