using System.Globalization;
using Transfer.Wan.Link;
using Transfer.Wan.Records;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios;

/// <summary>One comparison: the same work by several clients in turns.</summary>
internal sealed record Scenario
{
    /// <summary>The link; null: loopback at the far end.</summary>
    public required LinkShape? Link { get; init; }

    public required int Files { get; init; }

    public required FileSize Size { get; init; }

    /// <summary>The folders that hold the files, in two levels; 0: one folder.</summary>
    public int Folders { get; init; }

    public required bool IsUpload { get; init; }

    /// <summary>The operation on the files, which are at the server; null: the files are moved.</summary>
    public TreeWork? Tree { get; init; }

    public required Protocol Protocol { get; init; }

    public required string Server { get; init; }

    public required IReadOnlyList<ClientTurn> Clients { get; init; }

    public int Rounds { get; init; } = 3;

    /// <summary>
    /// A client that takes longer is stopped, and what had arrived by then counts; null: it has failed after <see cref="WanLimits.Run"/>.
    /// </summary>
    public TimeSpan? StopAfter { get; init; }

    /// <summary>The page cache is emptied before each turn.</summary>
    public bool IsCold { get; init; }

    public string LinkName => Link is null ? LinkNames.Loopback : LinkNames.Of(Link);

    public string Direction => Tree is { } work ? work.Word() : IsUpload ? "up" : "down";

    public string Name => string.Create(
        CultureInfo.InvariantCulture,
        $"{Files}x{Size.Label}-{Direction}-{Protocol.ToString().ToLowerInvariant()}-{Server.ToLowerInvariant()}-{LinkName}{(IsCold ? "-cold" : string.Empty)}");

    public long Bytes => (long)Files * Size.Bytes;
}
