namespace Transfer.Pooling;

/// <summary>The number of sessions that a server allowed, and the time of learning that.</summary>
internal readonly record struct RememberedLimit(int Sessions, DateTimeOffset Learned);
