namespace Transfer.Testing.Connections;

/// <summary>
/// The (control) connection is gone; distinct from <see cref="IOException"/>, which the store throws for its own failures.
/// </summary>
internal sealed class ConnectionLostException : Exception
{
    public ConnectionLostException(Exception? inner = null)
        : base("The connection has ended.", inner)
    {
    }
}
