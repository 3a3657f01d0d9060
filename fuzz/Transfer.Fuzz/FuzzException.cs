namespace Transfer.Fuzz;

/// <summary>A promise about inputs that was not kept.</summary>
internal sealed class FuzzException(string message, Exception? inner = null) : Exception(message, inner);
