namespace Transfer.PowerShell.Servers;

/// <summary>A server that answered.</summary>
/// <param name="Uri">The server.</param>
/// <param name="Software">The name of the server's software; empty: not reported.</param>
/// <param name="Elapsed">The time until the answer; the log-in is part of it if no session existed.</param>
public sealed record ServerTestResult(Uri Uri, string Software, TimeSpan Elapsed);
