namespace Transfer.Diagnostics;

/// <summary>A pool of connections, for the gauge of those that are open.</summary>
internal interface IConnectionCount
{
    /// <summary>The number of connections that are open now.</summary>
    int Open { get; }
}
