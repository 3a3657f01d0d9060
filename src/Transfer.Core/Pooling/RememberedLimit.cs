namespace Transfer.Pooling;

/// <summary>How many sessions a server allowed, and when that was seen.</summary>
internal readonly record struct RememberedLimit(int Sessions, DateTimeOffset Learned);
