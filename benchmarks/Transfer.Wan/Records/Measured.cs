using System.Text.Json.Serialization;

namespace Transfer.Wan.Records;

/// <summary>One client's one turn at one scenario.</summary>
internal sealed record Measured : WanRecord
{
    /// <summary>The scenario's name within its report: <c>200x10KB-up-ftp-vsftpd</c>.</summary>
    public required string Scenario { get; init; }

    /// <summary>The link's name, as in <see cref="LinkChecked.Link"/>.</summary>
    public required string Link { get; init; }

    /// <summary>The client with its mode: <c>transfer</c>, <c>transfer --sessions 1</c>, <c>lftp parallel 8</c>.</summary>
    public required string Client { get; init; }

    /// <summary>The server: <c>vsftpd</c>, <c>OpenSSH</c>.</summary>
    public required string Server { get; init; }

    /// <summary>The protocol: <c>FTP</c>, <c>FTPS</c>, <c>SFTP</c>, <c>SSH</c>, <c>HTTP</c>.</summary>
    public required string Protocol { get; init; }

    /// <summary><c>up</c> or <c>down</c>; of an operation on a tree <c>ls</c>, <c>sync</c>, <c>rm</c> or <c>chmod</c>.</summary>
    public required string Direction { get; init; }

    /// <summary>Files of the scenario.</summary>
    public required int Files { get; init; }

    /// <summary>Bytes of the scenario, of all files together.</summary>
    public required long Bytes { get; init; }

    /// <summary>The round of repeats, from 1: each client has one turn in a round.</summary>
    public required int Round { get; init; }

    /// <summary>Wall-clock time of the whole command, its start and log-in included, in seconds; null: it failed.</summary>
    public double? Seconds { get; init; }

    /// <summary>The time to the first output, in seconds, of a client that prints names; null: no such client.</summary>
    public double? FirstSeconds { get; init; }

    /// <summary>Processor time of the client, in seconds; null: not known.</summary>
    public double? ProcessorSeconds { get; init; }

    /// <summary>The most memory that the client had resident, all its processes together, in bytes; null: not known.</summary>
    public long? PeakBytes { get; init; }

    /// <summary>The same of our own program at the far end, where the client needs one; null: there was none, or it is not known.</summary>
    public long? FarPeakBytes { get; init; }

    /// <summary>Bytes of packets that the clients' end of the link sent; null: not known.</summary>
    public long? SentBytes { get; init; }

    /// <summary>Bytes of packets that it received; null: not known.</summary>
    public long? ReceivedBytes { get; init; }

    /// <summary>
    /// Files that the client really moved where it is too slow for all of them: its time is then for these, and a report extrapolates and
    /// says so. Null: all.
    /// </summary>
    public int? FilesMoved { get; init; }

    /// <summary>
    /// Bytes that had arrived when the client was stopped because its time was over: <see cref="Seconds"/> is then that time, and contents
    /// were not compared.
    /// Null: all.
    /// </summary>
    public long? BytesMoved { get; init; }

    /// <summary>
    /// <see cref="BytesMoved"/>, but no more than the link carried: a client that reserves the file's room has all of its blocks from the
    /// beginning.
    /// </summary>
    [JsonIgnore]
    public long? BytesCarried => BytesMoved is { } moved ? Math.Min(moved, CarriedContent ?? moved) : null;

    // Of work on a tree the bytes stand for entries.
    private long? CarriedContent => Direction switch
    {
        "up" => SentBytes,
        "down" => ReceivedBytes,
        _ => null,
    };

    /// <summary>Why it failed, or how the contents differ; null: all is well, and contents were compared.</summary>
    public string? Error { get; init; }
}
