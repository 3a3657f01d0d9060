namespace Transfer.Cli.Commands.Scripts;

/// <summary>Runs a verb with its arguments over the clients of a session, and returns the exit code.</summary>
internal delegate Task<int> LineRunner(IReadOnlyList<string> args, CommandHost host, Session session, CancellationToken ct);
