namespace Transfer.Testing.Ftp.Data;

/// <summary>The data connection broke, or a fault broke it; distinct from the store's exceptions.</summary>
internal sealed class DataLostException : Exception
{
    public DataLostException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
