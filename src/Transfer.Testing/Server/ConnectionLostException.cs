namespace Transfer.Testing.Server;

/// <summary>The control connection is gone; apart from <see cref="IOException"/>, which the store throws for its own troubles.</summary>
internal sealed class ConnectionLostException : Exception
{
    public ConnectionLostException(Exception? inner = null)
        : base("The control connection has ended.", inner)
    {
    }
}
