using System.Net;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch;

/// <summary>How jobs are received. Immutable; <c>with</c> makes a changed copy.</summary>
public sealed record BatchReceiverOptions
{
    /// <summary>The address and port on which to listen; port 0 takes a free one. Null: every address of the machine, at
    /// <see cref="BatchAddress.DefaultPort"/> with <see cref="StateFolder"/>, else at a free port.</summary>
    public IPEndPoint? Listen { get; init; }

    /// <summary>The name or address by which senders reach this machine, for <see cref="BatchReceiver.Address"/>; null: the address of the
    /// default route.</summary>
    public string? Host { get; init; }

    /// <summary>
    /// The folder that keeps the receiver's key and secret, readable by this user only, so that the receiver's address stays the same;
    /// created if missing. Null: key and secret are new, and the address serves this receiver only.
    /// </summary>
    public string? StateFolder { get; init; }

    /// <summary>Whether any number of jobs is accepted, also concurrent ones; else one, and further senders are refused.</summary>
    public bool Keep { get; init; }

    /// <summary>How to treat files that exist.</summary>
    public OverwriteMode Overwrite { get; init; } = OverwriteMode.Fail;

    /// <inheritdoc cref="TransferOptions.PreserveMode"/>
    public bool PreserveMode { get; init; }

    /// <summary>
    /// Whether senders receive hashes of the blocks of files that exist and may be replaced (<see cref="Overwrite"/>), so as to send the
    /// differences only. False where senders must not be able to guess at the content of those files.
    /// </summary>
    public bool Deltas { get; init; } = true;

    /// <summary>
    /// Whether archives arrive unsealed, as over two streams that are protected otherwise from readers and changes, for example by SSH.
    /// Required by receivers of two streams (<c>StartReceive</c> and <c>ReceiveAsync</c> of <see cref="BatchReceiver"/>),
    /// refused by a receiver that listens.
    /// </summary>
    public bool AllowUnsealed { get; init; }

    /// <summary>When received files are safe against a power cut, and their archive is confirmed.</summary>
    public Durability Durability { get; init; } = Durability.Archive;

    /// <summary>
    /// The most bytes in memory at once, over all sessions of a job together: archives, content and deltas. At least 16 MiB, and 32 MiB for
    /// a receiver that listens: 512 KiB for each of the 64 connections that a job may have. With little memory, archives wait for each
    /// other.
    /// </summary>
    public long MaxBufferBytes { get; init; } = JobBuffers.Usual;

    /// <summary>How long a connection may stay silent before the receiver closes the connection.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long a job waits for its sender to return when all connections are lost.</summary>
    public TimeSpan ReturnTimeout { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Where log messages go. They never contain secrets.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
