using System.Text;
using Transfer.Testing.Connections;
using Transfer.Testing.Faults;
using Transfer.Testing.Keys;

namespace Transfer.Testing.Ssh;

/// <summary>The state that all connections of a server share.</summary>
internal sealed class SshServerCore
{
    public required SftpTestServerOptions Options { get; init; }

    public required ITestStore Store { get; init; }

    public required HostKeySet HostKeys { get; init; }

    public required ServerAlgorithms Algorithms { get; init; }

    public required AuthorizedKeys AuthorizedKeys { get; init; }

    public required FaultRules Rules { get; init; }

    public required CommandLog Log { get; init; }

    public required ConnectionCounts Counts { get; init; }

    public required CancellationToken Stopping { get; init; }

    /// <summary>The server's version line, without the line end.</summary>
    public ReadOnlyMemory<byte> Version => field.IsEmpty ? field = Encoding.ASCII.GetBytes(Options.Version) : field;

    /// <summary>Whether a request or an extension is switched off.</summary>
    public bool IsDisabled(string name) => Options.DisabledRequests.Contains(name);

    /// <summary>Lets a holding rule strike, and waits for its end.</summary>
    public async ValueTask HoldAsync(string verb, string path, CancellationToken ct)
    {
        if (Rules.Take(FaultStage.Delay, verb, path) is { } hold)
            await FaultHold.WaitAsync(hold, Options.TimeProvider, ct).ConfigureAwait(false);
    }

    /// <summary>An entry as reported, with the wrong size of a fault.</summary>
    public TestEntry Shown(TestEntry entry, string path) =>
        Rules.Take(FaultStage.Size, string.Empty, path) is { Action: WrongSizeFault fault } ? entry with { Length = fault.Size } : entry;
}
