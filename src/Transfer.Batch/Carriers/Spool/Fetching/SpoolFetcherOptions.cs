using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch;

/// <summary>How jobs are fetched from a spool. Immutable; change it with <c>with</c>.</summary>
public sealed record SpoolFetcherOptions
{
    /// <summary>
    /// A folder of this user's in which the fetcher remembers what it has received, so that it goes on after whatever broke it off, and no store can give it an old job
    /// once more; made if need be. Several fetchers may have the same.
    /// </summary>
    public required string StateFolder { get; init; }

    /// <summary>Whose jobs are taken; needed with a key pair, and of no use with a shared key or a passphrase.</summary>
    public IReadOnlyList<SpoolPublicKey> Senders { get; init; } = [];

    /// <summary>Waits until a job has come. Else what is there is fetched, and where nothing is there nothing is done.</summary>
    public bool Wait { get; init; }

    /// <summary>What to do with files that exist.</summary>
    public OverwriteMode Overwrite { get; init; } = OverwriteMode.Fail;

    /// <inheritdoc cref="TransferOptions.PreserveMode"/>
    public bool PreserveMode { get; init; }

    /// <summary>When what has come is safe against a power cut, and an archive is confirmed.</summary>
    public Durability Durability { get; init; } = Durability.Archive;

    /// <summary>Archives of a job that are fetched at once.</summary>
    public int Sessions { get; init; } = 8;

    /// <summary>
    /// Most bytes in memory at once, over all sessions of a job together: archives, content and what deltas take. At least 16 MiB, and 512 KiB for each of <see cref="Sessions"/>. Archives that find no room wait in files in <see cref="StateFolder"/>. What the client has for itself is not in it.
    /// </summary>
    public long MaxBufferBytes { get; init; } = JobBuffers.Usual;

    /// <summary>How long to wait before the store is looked at again, 30 days at most.</summary>
    public TimeSpan PollInterval { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>How long a job of which something is missing is waited for when nothing of it comes, 3650 days at most.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Where log messages go. They never contain secrets.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
