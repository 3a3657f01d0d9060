using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>A session on loan; disposing ends the loan.</summary>
internal interface ISessionLoan : IAsyncDisposable
{
    /// <summary>The session.</summary>
    TransferSession Session { get; }
}
