namespace Transfer.Local;

/// <summary>Links that lead round in a circle.</summary>
internal sealed class LinkLoopException(string message) : IOException(message);
