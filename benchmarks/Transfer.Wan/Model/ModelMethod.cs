namespace Transfer.Wan.Model;

/// <summary>The costs of a file, by one way of moving files.</summary>
/// <param name="Name">The name in tables: <c>SFTP</c>.</param>
/// <param name="ClientSeconds">Processor time of the worker for a file.</param>
/// <param name="ServerSeconds">Processor time of the server for a file.</param>
/// <param name="RoundTrips">Round trips of one session for a file, where a session moves one file at a time; 0: many are under way.</param>
internal sealed record ModelMethod(string Name, double ClientSeconds, double ServerSeconds, double RoundTrips);
