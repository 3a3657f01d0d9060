namespace Transfer.Testing.Server;

/// <summary>The connection is gone, with FTP the control connection; apart from <see cref="IOException"/>, which the store throws for its own troubles.</summary>
internal sealed class ConnectionLostException : Exception
{
    public ConnectionLostException(Exception? inner = null)
        : base("The connection has ended.", inner)
    {
    }
}
