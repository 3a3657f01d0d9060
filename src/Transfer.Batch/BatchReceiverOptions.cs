using System.Net;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch;

/// <summary>How jobs are received. Immutable; change it with <c>with</c>.</summary>
public sealed record BatchReceiverOptions
{
    /// <summary>Where to listen; port 0 takes a free one. Null: every address of the machine, at <see cref="BatchAddress.DefaultPort"/> with <see cref="StateFolder"/>, else at a free port.</summary>
    public IPEndPoint? Listen { get; init; }

    /// <summary>The name or address by which senders reach this machine, for <see cref="BatchReceiver.Address"/>; null: the one that its way to the network has.</summary>
    public string? Host { get; init; }

    /// <summary>
    /// A folder that keeps the receiver's key and secret, readable by this user only, so that its address stays the same; made if need be. Null: fresh ones, and the address
    /// is good for this once.
    /// </summary>
    public string? StateFolder { get; init; }

    /// <summary>Any number of jobs may come, also at once; else one, and whoever comes beside it is refused.</summary>
    public bool Keep { get; init; }

    /// <summary>What to do with files that exist.</summary>
    public OverwriteMode Overwrite { get; init; } = OverwriteMode.Fail;

    /// <inheritdoc cref="TransferOptions.PreserveMode"/>
    public bool PreserveMode { get; init; }

    /// <summary>
    /// Of files that exist and may be replaced (<see cref="Overwrite"/>) a sender is told hashes of their blocks, and sends what has changed. Who may not guess at their content
    /// must not be told: false.
    /// </summary>
    public bool Deltas { get; init; } = true;

    /// <summary>
    /// Archives may come unsealed, as they do over two streams: something else, such as SSH, keeps others from reading and changing what they carry. Only
    /// <see cref="BatchReceiver.ReceiveAsync(string, Stream, Stream, BatchReceiverOptions, CancellationToken)"/> takes it, and wants it; who listens never accepts anything unsealed.
    /// </summary>
    public bool AllowUnsealed { get; init; }

    /// <summary>When what has come is safe against a power cut, and an archive is confirmed.</summary>
    public Durability Durability { get; init; } = Durability.Archive;

    /// <summary>Told of every item as it ends, from any thread, in no order.</summary>
    public IProgress<ItemResult>? Items { get; init; }

    /// <summary>Told how the job stands, about ten times a second.</summary>
    public IProgress<TransferProgress>? Progress { get; init; }

    /// <summary>
    /// Most bytes in memory at once, over all sessions of a job together: archives, content and what deltas take. At least 16 MiB, and 32 MiB where it listens: 512 KiB for each of the 64 connections that a job may have. With little, archives wait for each other.
    /// </summary>
    public long MaxBufferBytes { get; init; } = JobBuffers.Usual;

    /// <summary>How long a sender may say nothing before its connection is given up.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long a job waits for its sender to come back when all connections are lost.</summary>
    public TimeSpan ReturnTimeout { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Where log messages go. They never contain secrets.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
