namespace Transfer.Wan.Commands;

/// <summary>The command line makes no sense; the message says why.</summary>
internal sealed class UsageException(string message) : Exception(message);
