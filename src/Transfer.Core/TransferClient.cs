using Transfer.Sessions;

namespace Transfer;

/// <summary>
/// Moves files to and from one server. Thread-safe; keeps a pool of sessions; connects when first needed.
/// Paths are absolute from the server's root, <c>/~/</c> is the log-in folder, and without a leading slash they are
/// relative to <see cref="Endpoint"/>'s path.
/// </summary>
public abstract partial class TransferClient : IAsyncDisposable
{
    /// <summary>Creates a client for an endpoint; nothing is connected yet.</summary>
    protected TransferClient(Uri endpoint, TransferClientOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        Endpoint = endpoint;
        Options = options ?? new TransferClientOptions();
    }

    /// <summary>Where this client goes; never with the password.</summary>
    public Uri Endpoint { get; }

    /// <summary>The options it was made with.</summary>
    protected TransferClientOptions Options { get; }

    /// <summary>The log-in to use: the options', else the endpoint's user information (an empty password where it has none), else null.</summary>
    protected TransferCredential? Credential { get; }

    /// <summary>What the server can do; known after the first connect, empty before.</summary>
    public TransferFeatures Features => throw new NotImplementedException();

    /// <summary>Opens a session now, so that failures show early; optional.</summary>
    public ValueTask ConnectAsync(CancellationToken ct = default) => throw new NotImplementedException();

    /// <summary>Opens one more session: connects and logs in.</summary>
    protected abstract ValueTask<TransferSession> OpenSessionAsync(CancellationToken ct);

    /// <summary>True when a failed <see cref="OpenSessionAsync"/> means that the server allows no further session beside those that are open.</summary>
    protected virtual bool IsSessionLimit(TransferException error) => false;

    /// <summary>Closes all sessions.</summary>
    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        throw new NotImplementedException();
    }
}
