namespace Transfer.Tests.Replay;

/// <summary>Something that must never happen has happened.</summary>
internal sealed class ReplayException(string message) : Exception(message);
