namespace Transfer.ServerTests.Foreign.Checks;

/// <summary>
/// A check met a limit of its server, after it has seen that the client names the limit, or does without, and that nothing was lost.
/// </summary>
internal sealed class ServerLimitException(string message) : Exception(message);
