namespace Transfer.Testing.Data;

/// <summary>The data connection broke, or a fault broke it; apart from what the store throws.</summary>
internal sealed class DataLostException : Exception
{
    public DataLostException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
