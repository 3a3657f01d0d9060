namespace Transfer;

/// <summary>A time that is known only within bounds.</summary>
/// <param name="Earliest">The earliest possible time.</param>
/// <param name="Latest">The latest possible time.</param>
public sealed record TimeRange(DateTimeOffset Earliest, DateTimeOffset Latest);
