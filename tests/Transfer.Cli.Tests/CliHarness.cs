using System.Text;

namespace Transfer.Cli.Tests;

/// <summary>Runs the command in process, with streams and an environment of its own.</summary>
internal sealed class CliHarness
{
    public Dictionary<string, string> Environment { get; } = new(StringComparer.Ordinal);

    public byte[] Input { get; init; } = [];

    public string Home { get; init; } = string.Empty;

    public Func<string, CancellationToken, string>? ReadSecret { get; init; }

    public Func<string, CancellationToken, string>? ReadShown { get; init; }

    public ShellTerminal? Shell { get; init; }

    public bool ErrorIsTerminal { get; init; }

    public bool OutputIsTerminal { get; init; }

    public TimeZoneInfo? LocalTimeZone { get; init; }

    /// <summary>The command's clock; null: the system's, in <see cref="LocalTimeZone"/>.</summary>
    public TimeProvider? Time { get; init; }

    /// <summary>Receives standard output; null: it is kept for the result.</summary>
    public MemoryStream? Sink { get; init; }

    public async Task<CliResult> RunAsync(CancellationToken ct, params string[] args)
    {
        using var output = new MemoryStream();
        using var input = new MemoryStream(Input);
        using var error = new StringWriter();
        var host = new CommandHost
        {
            Input = input,
            Output = Sink ?? output,
            Error = TextWriter.Synchronized(error),
            Environment = name => Environment.GetValueOrDefault(name),
            HomeDirectory = Home,
            ReadSecret = ReadSecret,
            ReadShown = ReadShown,
            Shell = Shell,
            ErrorIsTerminal = ErrorIsTerminal,
            OutputIsTerminal = OutputIsTerminal,
            TimeProvider = Time ?? (LocalTimeZone is { } zone ? new ZonedTime(zone) : TimeProvider.System),
        };
        var code = await CommandLine.RunAsync(args, host, ct);
        return new CliResult(code, output.ToArray(), error.ToString());
    }

    public Task<CliResult> RunAsync(params string[] args) => RunAsync(CancellationToken.None, args);
}

/// <summary>The system's time in another zone.</summary>
internal sealed class ZonedTime(TimeZoneInfo zone) : TimeProvider
{
    public override TimeZoneInfo LocalTimeZone => zone;
}

/// <summary>What a run left behind.</summary>
internal sealed record CliResult(int Code, byte[] Bytes, string Error)
{
    public string Output => Encoding.UTF8.GetString(Bytes);

    public override string ToString() => $"exit {Code}\nstdout: {Output}\nstderr: {Error}";
}
