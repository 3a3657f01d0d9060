namespace Transfer.PowerShell.Servers;

/// <summary>A server that answered.</summary>
/// <param name="Uri">The server.</param>
/// <param name="Software">The name of the server's software; empty: not reported.</param>
/// <param name="RoundTrip">The time of one request and its answer.</param>
/// <param name="Elapsed">The time from the command's beginning to the answer; the log-in is part of it if no session existed.</param>
/// <param name="Features">The abilities of the server, as far as announced.</param>
public sealed record ServerTestResult(Uri Uri, string Software, TimeSpan RoundTrip, TimeSpan Elapsed, TransferFeatures Features);
