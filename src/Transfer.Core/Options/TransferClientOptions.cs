using Microsoft.Extensions.Logging;

namespace Transfer;

/// <summary>The options common to all clients. Immutable; change them using <c>with</c>.</summary>
public record TransferClientOptions
{
    private const long LeastBufferOfSession = 256 << 10;

    /// <summary>The options for opening connections.</summary>
    public DialOptions Dial { get; init; } = new();

    /// <summary>The log-in. Null: the endpoint's user information, else the protocol's anonymous log-in, if there is one.</summary>
    public TransferCredential? Credential { get; init; }

    /// <summary>The most sessions open at once. Fewer are used when there is less to do or the server refuses more.</summary>
    public int MaxSessions { get; init; } = 16;

    /// <summary>
    /// The most sessions open at once while many small files move over a long link: beyond <see cref="MaxSessions"/> their number doubles
    /// as long as that raises the rate by a third or more. Jobs with a number of their own have no more than that. Null: as
    /// <see cref="MaxSessions"/>.
    /// </summary>
    public int? MaxSessionsForSmallFiles { get; init; }

    /// <summary>
    /// A file that remembers how many sessions servers allow, for later clients in any process, which then do not open sessions that were
    /// refused before. Written when a server refuses a session, allows one more than known, or differs in another way; holds servers and
    /// users as hashes, for a week. Errors of the file are logged, and fail nothing. Null: each client learns the limits anew.
    /// </summary>
    public string? LimitsFile { get; init; }

    /// <summary>
    /// Whether numbers of sessions are read from <see cref="LimitsFile"/> and written there. Off, for a number that is to be tried as
    /// given: only other differences of servers are remembered.
    /// </summary>
    public bool RemembersSessionLimits { get; init; } = true;

    /// <summary>
    /// The directory for journals of jobs with <see cref="TransferOptions.Resume"/> but without <see cref="TransferOptions.Journal"/>.
    /// Null: the user's, <see cref="Transfer.JournalDirectory.OfUser"/>.
    /// </summary>
    public string? JournalDirectory { get; init; }

    /// <summary>
    /// The time without any movement after which an operation fails with <see cref="TransferError.Timeout"/>. Never a limit on the whole.
    /// </summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// The longest time of a session's log-in, from the dial until the session is ready, before <see cref="TransferError.Timeout"/>;
    /// questions to a person (passwords, host keys) do not count. Zero, less or <see cref="Timeout.InfiniteTimeSpan"/>: no limit, and a
    /// server that sends a byte now and then prolongs the log-in for ever.
    /// </summary>
    public TimeSpan LogInTimeout { get; init; } = TimeSpan.FromSeconds(120);

    /// <summary>The time that an unused session is kept open.</summary>
    public TimeSpan SessionLifetime { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The most bytes of content a second, both ways and over all sessions together; null: no limit. Copies within a server do not count.
    /// </summary>
    public long? MaxBytesPerSecond { get; init; }

    /// <summary>
    /// A limit like <see cref="MaxBytesPerSecond"/> that changes in the course of a week, by the local time of <see cref="TimeProvider"/>;
    /// null: none. Running jobs follow each change within a second.
    /// </summary>
    public RateSchedule? RateSchedule { get; init; }

    /// <summary>
    /// The most bytes of content in memory at once, over all sessions together: read ahead, on their way, or not written yet. At least 256
    /// KiB for each of <see cref="MaxSessions"/>. Less than twice the bytes that the link carries in a round trip makes large files slower.
    /// The buffers of connections do not count.
    /// </summary>
    public long MaxBufferBytes { get; init; } = 64 << 20;

    /// <summary>
    /// The most bytes of memory for names and related data at once, over all of the client's listings, walks, deletions and
    /// synchronisations together, about 100 a name; and as many for local folders. A directory with a listing beyond that fails with
    /// <see cref="TransferError.Partial"/>: it is never taken for complete. Entries that an application takes one by one from
    /// <see cref="TransferClient.ListAsync"/> are not kept, and not limited.
    /// </summary>
    public long MaxListingBytes { get; init; } = 128 << 20;

    /// <summary>The number and times of retries.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>The factory of the logs. Messages never contain secrets.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Refuses values that no client can have.</summary>
    /// <exception cref="ArgumentException">
    /// A property breaks its rule: the message names both; the parameter name is the property's.
    /// </exception>
    internal void Validate()
    {
        var rules = new OptionRules(GetType().Name);
        rules.Require(Dial is not null, nameof(Dial), "must not be null");
        rules.Require(Retry is not null, nameof(Retry), "must not be null");
        rules.Require(TimeProvider is not null, nameof(TimeProvider), "must not be null");
        rules.AtLeast(MaxSessions, 1);
        rules.Require(MaxSessionsForSmallFiles is null || MaxSessionsForSmallFiles >= MaxSessions, nameof(MaxSessionsForSmallFiles),
            "must not be below MaxSessions");
        rules.AtLeast(MaxBufferBytes, LeastBufferOfSession * MaxSessions);
        rules.AtLeast(MaxListingBytes, 1);
        rules.AtLeast(MaxBytesPerSecond, 1);
        rules.Require(MaxBytesPerSecond is null || RateSchedule is null, nameof(RateSchedule),
            "must be null where MaxBytesPerSecond is not");
        rules.NotNegative(SessionLifetime);
        rules.Path(LimitsFile);
        rules.Path(JournalDirectory);
        Retry!.Validate();
        Dial!.Validate();
    }
}
