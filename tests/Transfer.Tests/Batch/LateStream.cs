namespace Transfer.Tests.Batch;

/// <summary>Does something before its last bytes are read.</summary>
internal sealed class LateStream(byte[] bytes, Action action) : MemoryStream(bytes)
{
    private Action? _action = action;

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (Length - Position <= buffer.Length && buffer.Length > 1000)
        {
            _action?.Invoke();
            _action = null;
        }
        cancellationToken.ThrowIfCancellationRequested();
        return await base.ReadAsync(buffer, cancellationToken);
    }
}
