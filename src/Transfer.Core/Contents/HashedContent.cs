using System.Security.Cryptography;
using Transfer.Sessions;

namespace Transfer.Contents;

/// <summary>A content that is hashed while moving, in order and from the first byte: nothing has to be read twice for the hash.</summary>
internal sealed class HashedContent : IContent, IDisposable
{
    private readonly IContent _content;
    private readonly string _algorithm;
    private readonly IncrementalHash _hash;
    private long _end;

    public HashedContent(IContent content, string algorithm)
    {
        _content = content;
        _algorithm = algorithm;
        _hash = IncrementalHash.CreateHash(FileHash.NameOf(algorithm));
    }

    public long? Length => _content.Length;

    public bool CanReplay => _content.CanReplay;

    public ValueTask WhenReadableAsync(long offset, CancellationToken ct) => _content.WhenReadableAsync(offset, ct);

    public async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        var read = await _content.ReadAsync(offset, buffer, ct).ConfigureAwait(false);
        Add(offset, buffer.Span[..read]);
        return read;
    }

    public async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        await _content.WriteAsync(offset, data, ct).ConfigureAwait(false);
        Add(offset, data.Span);
    }

    /// <summary>The hash of all bytes moved.</summary>
    public ContentHash Finish() => new(_algorithm, Convert.ToHexStringLower(_hash.GetCurrentHash()), _end);

    public void Dispose() => _hash.Dispose();

    private void Add(long offset, ReadOnlySpan<byte> data)
    {
        if (offset != _end) throw new InvalidOperationException("A hash takes content in order.");
        _hash.AppendData(data);
        _end += data.Length;
    }
}
