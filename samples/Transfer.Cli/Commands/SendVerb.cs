using System.CommandLine;
using Transfer.Batch;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Sends a folder to a receiver, or leaves it for recipients to fetch.</summary>
internal sealed class SendVerb() : Verb("send", "[OPTIONS] DIR URL",
    "Send a folder of any number of files to transfer receive, or leave it for transfer fetch.")
{
    public override string Details => """
        The contents of the folder go into the receiver's folder, as a stream of sealed archives over a few TLS
        connections. The token is in the URL, --token-file or TRANSFER_TOKEN, or is typed at the terminal; other
        users can see a command's arguments.

        With --to the URL is a folder on a server or a local one, and no receiver need run: sealed archives are left
        there, once for all recipients, and each runs transfer fetch at any time. Your next send deletes jobs that
        all have fetched, or after their deadline. With --delta, only the changes are sent of files that all of them
        have confirmed in another version: for recipients that leave fetched files in place. For a recipient that
        has moved such a file away the next change fails, and the job after that brings the file whole.
        A passphrase is in --passphrase-file or TRANSFER_PASSPHRASE, or is typed.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "send photos/ transfer://192.0.2.7:4780 --token-file token.txt",
        "send site/ 'transfer://host.example.com:4780#AXy...' --exclude '*.tmp' --resume",
        "send photos/ ftpes://me@ftp.example.com/spool --to ann=ann.pub --to ben=ben.pub --key-file me.key",
        "send photos/ ftpes://me@ftp.example.com/spool --to ann --to ben --passphrase",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Transfer",
            [options.TokenFile, options.Links, options.NoCompression, options.ArchiveSize, options.NoDelta, options.Limit, options.Resume,
            options.Grace]),
        Groups.Filter(options),
        ("For recipients that fetch", options.Spool.Sending),
        Groups.Login(options), Groups.Connection(options), Groups.Items(options),
    ];

    public override string? Explain(CliOptions options, Option option) => option switch
    {
        _ when option == options.Links =>
            "Symbolic links: make them at the receiver too (default), leave them out, or send their targets within the folder.",
        _ when option == options.Resume =>
            "Continue an interrupted run of the same command: files that were confirmed, or with --to archives in the store, are not "
            + "sent again.",
        _ when option == options.Sessions =>
            "Connections to the receiver, 64 at most. Default: auto, as many as pay, 8 at most. With --to: sessions with the server, "
            + "and archives at once.",
        _ => null,
    };

    public override ArgumentSide SideOf(int index, int count) => index == 1 ? ArgumentSide.Either : ArgumentSide.Local;

    public override bool IsForScripts => false;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 2)
            throw new UsageException("send wants a folder and then the address of a receiver: transfer://host:port#TOKEN.");
        var (source, url) = (invocation.Paths[0], invocation.Paths[1]);
        if (Scheme.IsUrl(source)) throw new UsageException($"send sends what is local, and {UrlRedaction.Redact(source)} is a URL.");
        if (LocalPath.Find(source) is { Type: not RemoteEntryType.Directory })
            throw new UsageException($"send sends folders, and {source} is a file.");
        if (invocation.Given(invocation.Options.Spool.Sending) is not null) return await SpoolSend.RunAsync(invocation, source, url, ct);
        if (!url.StartsWith(BatchAddress.Scheme + "://", StringComparison.OrdinalIgnoreCase))
        {
            throw new UsageException(
                $"send wants the address of a receiver, transfer://host:port#TOKEN, and not '{UrlRedaction.Redact(url)}'; or --to, and "
                + "who fetches it there.");
        }

        if (invocation.Given([invocation.Options.Encoding, .. invocation.Options.Login.All]) is { } option)
            throw new UsageException($"{option} is for servers, and a receiver has its token.");
        var options = Read(invocation);
        var transfer = invocation.Transfer;
        var address = ReceiverAddress.Resolve(invocation.Host, url, invocation.Value(invocation.Options.TokenFile), ct);
        options = new Journals(invocation.Host, invocation.Messages, transfer).Batch(LocalPath.Full(source),
            $"{address} {Receiver(address)}", options);
        using var runner = new TransferRunner(invocation, parallel: 1, grace: transfer.Grace);
        return await runner.RunAsync("Sending", _ => Task.FromResult<IReadOnlyList<TransferStep>>([Step(source, address, options)]), ct);
    }

    // The token's version and the receiver's fingerprint, 33 bytes: which receiver it is, without the secret.
    private static string Receiver(BatchAddress address) => address.Token.ToText()[..44];

    private static BatchSenderOptions Read(Invocation invocation)
    {
        var (transfer, connection) = (invocation.Transfer, invocation.Connection);
        var options = new BatchSenderOptions
        {
            Dial = new DialOptions { Proxy = connection.Proxy },
            Sessions = connection.Sessions is > 64
                ? throw new UsageException("--sessions: a receiver takes 64 connections of a sender at most.") : connection.Sessions,
            Filter = transfer.Filter,
            // What is packed by the system's tools keeps its links; so does this, unless it is told otherwise.
            Links = invocation.Value(invocation.Options.Links) is null ? LinkHandling.Copy : transfer.Links,
            Compress = !invocation.Flag(invocation.Options.NoCompression),
            ArchiveBytes = invocation.ArchiveSize,
            Deltas = !invocation.Flag(invocation.Options.NoDelta),
            MaxBytesPerSecond = connection.Limit.Rate,
            RateSchedule = connection.Limit.Schedule,
            Retry = connection.Retry,
            LoggerFactory = invocation.CreateLoggers(),
            TimeProvider = invocation.Host.TimeProvider,
        };
        if (connection.LogInTimeout is { } logIn) options = options with { LogInTimeout = logIn };
        return connection.Timeout is { } timeout
            ? options with { IdleTimeout = timeout, Dial = options.Dial with { ConnectTimeout = timeout } } : options;
    }

    private static TransferStep Step(string source, BatchAddress address, BatchSenderOptions options) => TransferStep.Job(
        source, [], TransferStep.Prefix(source),
        run => new BatchSender(address, options).StartSend(source, readItems: true, run.Progress, run.Abort));
}
