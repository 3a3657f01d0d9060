using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch;

/// <summary>How jobs are fetched from a spool. Immutable; <c>with</c> makes a changed copy.</summary>
public sealed record SpoolFetcherOptions
{
    /// <summary>
    /// A folder of this user in which the fetcher records received archives, so that an interrupted fetch can be resumed, and no store can
    /// present an old job again; created if missing. Several fetchers may share a folder.
    /// </summary>
    public required string StateFolder { get; init; }

    /// <summary>The accepted senders; required with a key pair, and without effect with a shared key or a
    /// passphrase.</summary>
    public IReadOnlyList<SpoolPublicKey> Senders { get; init; } = [];

    /// <summary>Whether to wait until a job has arrived. Else only the jobs in the store are fetched, if any.</summary>
    public bool Wait { get; init; }

    /// <summary>How to treat files that exist.</summary>
    public OverwriteMode Overwrite { get; init; } = OverwriteMode.Fail;

    /// <inheritdoc cref="TransferOptions.PreserveMode"/>
    public bool PreserveMode { get; init; }

    /// <summary>When received files are safe against a power cut, and their archive is confirmed.</summary>
    public Durability Durability { get; init; } = Durability.Archive;

    /// <summary>Archives of a job that are fetched at once.</summary>
    public int Sessions { get; init; } = 8;

    /// <summary>
    /// The most bytes in memory at once, over all sessions of a job together: archives, content and deltas. At least 16 MiB, and 512 KiB
    /// for each of <see cref="Sessions"/>. Archives beyond that wait in files in <see cref="StateFolder"/>. The client's own buffers do not
    /// count.
    /// </summary>
    public long MaxBufferBytes { get; init; } = JobBuffers.Usual;

    /// <summary>How long to wait before the store is looked at again, 30 days at most.</summary>
    public TimeSpan PollInterval { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>How long to wait for the missing parts of a job when none arrives, 3650 days at most.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Where log messages go. They never contain secrets.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
