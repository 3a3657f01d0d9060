namespace Transfer.Tests.Described;

/// <summary>A check has seen that the server lacks something, and that the client does without.</summary>
internal sealed class ServerLimitException(string message) : Exception(message);
