using System.CommandLine;
using System.Text;
using Transfer.Batch;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Receives what transfer send sends.</summary>
internal sealed class ReceiveVerb() : Verb("receive", "[OPTIONS] DIR", "Receive the files of transfer send, into a folder.")
{
    public override string Details => """
        Listens, and prints the address for the sender on standard output: transfer://host:port#TOKEN. Any holder
        can write into the folder until the command ends, so treat the address as a password. An address is valid
        for one job, and new each time; with --keep the address stays, for any number of jobs.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "receive incoming/",
        "receive /srv/incoming --keep --listen :4780 --host files.example.com",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Receiving",
            [options.Keep, options.Listen, options.HostName, options.Stdio, options.Overwrite, options.Perms, options.Durability,
            options.NoDelta, options.Timeout]),
        Groups.Items(options),
    ];

    public override string? Explain(CliOptions options, Option option) => option switch
    {
        _ when option == options.NoDelta => "Tell no sender about other versions of files: files arrive whole.",
        _ when option == options.Timeout => "Seconds that a sender may say nothing before the connection is given up. Default: 60.",
        _ when option == options.Json => "Print the address, and then the outcome of each job, as JSON on standard output.",
        _ => null,
    };

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Local;

    public override bool IsForScripts => false;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 1) throw new UsageException("receive wants one folder.");
        var folder = invocation.Paths[0];
        if (Scheme.IsUrl(folder))
            throw new UsageException($"receive writes into a folder here, and {UrlRedaction.Redact(folder)} is a URL.");
        if (LocalPath.Find(folder) is { Type: not RemoteEntryType.Directory })
            throw new UsageException($"receive wants a folder, and {folder} is a file.");
        var own = invocation.Options;
        var options = Read(invocation);
        if (!invocation.Flag(own.Stdio)) return await ListenAsync(invocation, folder, options, ct);
        if (invocation.Given([own.Keep, own.Listen, own.HostName, own.Json, own.JsonItems]) is { } other)
        {
            throw new UsageException(
                $"--stdio and {other} contradict each other: with --stdio nobody is listened to, and standard output is the sender's.");
        }

        var result = await BatchReceiver.ReceiveAsync(folder, invocation.Host.Input, invocation.Host.Output,
            options with { AllowUnsealed = true }, cancellationToken: ct);
        return result.Failed == 0 ? ExitCode.Done : ExitCode.SomeFailed;
    }

    private static async Task<int> ListenAsync(Invocation invocation, string folder, BatchReceiverOptions options, CancellationToken ct)
    {
        await using var receiver = BatchReceiver.Listen(folder, options);
        var address = receiver.Address.ToText();
        if (invocation.Json) await JsonOutput.WriteAsync(invocation.Host.Output, new AddressJson { Address = address }, ct);
        else await invocation.Host.Output.WriteAsync(Encoding.UTF8.GetBytes(address + "\n"), ct);
        await invocation.Host.Output.FlushAsync(ct);
        return options.Keep
            ? await new ReceivedJobs(invocation, folder, receiver).RunAsync(ct)
            : await FollowAsync(invocation, folder, run => receiver.StartReceive(readItems: true, run.Progress, run.Abort), ct);
    }

    private static async Task<int> FollowAsync(Invocation invocation, string folder, Func<StepRun, TransferJob> start,
        CancellationToken ct)
    {
        using var runner = new TransferRunner(invocation, parallel: 1);
        var step = TransferStep.Job(folder, [], TransferStep.Prefix(folder), start);
        return await runner.RunAsync("Receiving", _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
    }

    private static BatchReceiverOptions Read(Invocation invocation)
    {
        var own = invocation.Options;
        var keep = invocation.Flag(own.Keep);
        var options = new BatchReceiverOptions
        {
            Keep = keep,
            StateFolder = keep
                ? StateFolder.Find(invocation.Host, "receiver")
                    ?? throw new UsageException("--keep needs a folder for its key: set XDG_STATE_HOME.") : null,
            Listen = invocation.Value(own.Listen) is { } listen ? ListenAddress.Parse(listen) : null,
            Host = invocation.Value(own.HostName) is { } host ? AuthorityParser.ParseHostAndPort(host, "--host") is (var name, null)
                ? name : throw new UsageException("--host wants a name or an address without a port; see --listen.") : null,
            Overwrite = invocation.Transfer.Overwrite,
            PreserveMode = invocation.Transfer.Perms,
            Durability = invocation.Transfer.Durability,
            Deltas = !invocation.Flag(own.NoDelta),
            LoggerFactory = invocation.CreateLoggers(),
            TimeProvider = invocation.Host.TimeProvider,
        };
        return invocation.Connection.Timeout is { } timeout ? options with { IdleTimeout = timeout } : options;
    }
}
