using Microsoft.Extensions.Logging;

namespace Transfer;

/// <summary>What all clients share. Immutable; change it with <c>with</c>.</summary>
public record TransferClientOptions
{
    private const long LeastBufferOfSession = 256 << 10;

    /// <summary>How connections are made.</summary>
    public DialOptions Dial { get; init; } = new();

    /// <summary>The log-in. Null: the endpoint's user information, else the protocol's anonymous log-in, if it has one.</summary>
    public TransferCredential? Credential { get; init; }

    /// <summary>Most sessions open at once. Fewer are used when there is less to do or the server refuses more.</summary>
    public int MaxSessions { get; init; } = 16;

    /// <summary>
    /// A file that remembers how many sessions servers allow, for the clients that come after, here or in another process: they do not open what was refused before. It is written when a
    /// server refuses a session, or allows one more than that; servers and users are in it as hashes, for a week. Whatever is wrong with it is logged, and nothing fails. Null: each client finds out by itself.
    /// </summary>
    public string? LimitsFile { get; init; }

    /// <summary>
    /// The directory of the journals of jobs that have <see cref="TransferOptions.Resume"/> and no <see cref="TransferOptions.Journal"/> of their own. Null: the user's,
    /// <see cref="Transfer.JournalDirectory.OfUser"/>.
    /// </summary>
    public string? JournalDirectory { get; init; }

    /// <summary>How long nothing may move before the operation fails with <see cref="TransferError.Timeout"/>. Never a limit on the whole.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// How long a session's log-in may take, from the dial until the session is ready, before it fails with
    /// <see cref="TransferError.Timeout"/>; time in which a person is asked
    /// (passwords, host keys) does not count. Zero, less or <see cref="Timeout.InfiniteTimeSpan"/>: no limit, and a server that sends a
    /// byte now and then keeps it for ever.
    /// </summary>
    public TimeSpan LogInTimeout { get; init; } = TimeSpan.FromSeconds(120);

    /// <summary>How long an unused session is kept open.</summary>
    public TimeSpan SessionLifetime { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Most bytes of content a second, both ways and over all sessions together; null: as fast as it goes. What a server copies within itself does not count.</summary>
    public long? MaxBytesPerSecond { get; init; }

    /// <summary>
    /// Most bytes of content in memory at once, over all sessions together: read ahead, on their way, or not written yet. At least 256 KiB for each of
    /// <see cref="MaxSessions"/>. Less than twice what the link carries in a round trip makes large files slower. What a connection takes for itself is not in it.
    /// </summary>
    public long MaxBufferBytes { get; init; } = 64 << 20;

    /// <summary>
    /// Most bytes that names and what belongs to them take in memory at once, over all of the client's listings, walks, deletions and
    /// synchronisations together, about 100 a name; and as many for local
    /// folders. A directory whose listing would take more fails with <see cref="TransferError.Partial"/>: it is never taken for complete.
    /// What an application takes one by one from
    /// <see cref="TransferClient.ListAsync"/> is not kept, and not limited.
    /// </summary>
    public long MaxListingBytes { get; init; } = 128 << 20;

    /// <summary>How often, and how soon, what failed is tried again.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>Where log messages go. They never contain secrets.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Refuses values that no client can have.</summary>
    /// <exception cref="ArgumentException">A property breaks its rule: the message names both, and the parameter name is the property's.</exception>
    internal void Validate()
    {
        var rules = new OptionRules(GetType().Name);
        rules.Require(Dial is not null, nameof(Dial), "must not be null");
        rules.Require(Retry is not null, nameof(Retry), "must not be null");
        rules.Require(TimeProvider is not null, nameof(TimeProvider), "must not be null");
        rules.AtLeast(MaxSessions, 1);
        rules.AtLeast(MaxBufferBytes, LeastBufferOfSession * MaxSessions);
        rules.AtLeast(MaxListingBytes, 1);
        rules.AtLeast(MaxBytesPerSecond, 1);
        rules.NotNegative(SessionLifetime);
        rules.Path(LimitsFile);
        rules.Path(JournalDirectory);
        Retry!.Validate();
        Dial!.Validate();
    }
}
