using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>A client over a <see cref="MemoryStore"/>.</summary>
internal sealed class MemoryTransferClient : TransferClient
{
    private readonly MemoryStore _store;
    private readonly Func<MemoryStore, TransferSession> _open;

    public MemoryTransferClient(MemoryStore store, TransferClientOptions? options = null, string endpoint = "memory://host/",
        Func<MemoryStore, TransferSession>? open = null, RetryOptions? retry = null)
        : base(new Uri(endpoint), (options ?? new TransferClientOptions()) with { Retry = retry ?? Samples.SoonAgain })
    {
        _store = store;
        _open = open ?? (s => new MemorySession(s));
    }

    public new TransferCredential? Credential => base.Credential;

    protected override async ValueTask<TransferSession> OpenSessionAsync(CancellationToken ct)
    {
        await Task.Yield();
        if (_store.Faults.Next("open", string.Empty) is { } fault)
        {
            if (fault.Hold is { } hold) await hold(ct);
            if (fault.Refuse is { } refusal) throw refusal;
        }
        return _open(_store);
    }

    protected override bool IsSessionLimit(TransferException error) => error.Error == TransferError.Denied;
}
