using System.Text;
using Transfer.Testing.Connections;
using Transfer.Testing.Faults;
using Transfer.Testing.Tls;

namespace Transfer.Testing.Ftp;

/// <summary>The state that all sessions of a server share.</summary>
internal sealed class ServerCore
{
    public required FtpTestServerOptions Options { get; init; }

    public required ITestStore Store { get; init; }

    public required FaultRules Rules { get; init; }

    public required CommandLog Log { get; init; }

    public required ConnectionCounts Counts { get; init; }

    public required TlsIdentity? Tls { get; init; }

    public required TestLink? Link { get; init; }

    /// <summary>Work that outlives its session's turn; ends when the server stops.</summary>
    public BackgroundTasks Background { get; } = new();

    public required CancellationToken Stopping { get; init; }

    /// <summary>The encoding of names; throws for bytes that are none.</summary>
    public required Encoding Encoding { get; init; }

    /// <summary>Whether a command, or a command with its first word, is disabled.</summary>
    public bool IsDisabled(string verb, string argument = "")
    {
        if (Options.DisabledCommands.Count == 0) return false;
        if (Options.DisabledCommands.Contains(verb)) return true;
        var word = argument.Split(' ', 2)[0].ToUpperInvariant();
        return word.Length > 0 && Options.DisabledCommands.Contains($"{verb} {word}");
    }

    /// <summary>A link in the view of MLSD and MLST, or LIST: as the directory that it leads to, where the options require.</summary>
    public TestEntry Followed(TestEntry entry, bool inList) =>
        entry.IsDirectory
        && (Options.LinkListing == FtpLinkListing.Nowhere || !inList && Options.LinkListing == FtpLinkListing.ListOnly) ? entry with
        { LinkTarget = null } : entry;

    /// <summary>An entry as reported, with the wrong size of a fault.</summary>
    public TestEntry Shown(TestEntry entry, string path) =>
        Rules.Take(FaultStage.Size, string.Empty, path) is { Action: WrongSizeFault fault } ? entry with { Length = fault.Size } : entry;
}
