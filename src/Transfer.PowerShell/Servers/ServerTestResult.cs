namespace Transfer.PowerShell.Servers;

/// <summary>A server that answered.</summary>
/// <param name="Uri">The server.</param>
/// <param name="Software">What it calls itself; empty: it says nothing.</param>
/// <param name="Elapsed">The time until it had answered; the log-in is part of it where there was no session.</param>
public sealed record ServerTestResult(Uri Uri, string Software, TimeSpan Elapsed);
