using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>A remote file that is fetched to be hashed.</summary>
internal sealed class HashReadBack : ReadBack, IDisposable
{
    private readonly HashedContent _content;

    public HashReadBack(string path, long length, string algorithm, ContentFlow flow, ServerMeter meter)
        : this(path, Sink(new NoContent(length), algorithm, flow), meter)
    {
    }

    private HashReadBack(string path, HashedContent content, ServerMeter meter)
        : base(path, content, meter)
    {
        _content = content;
        Announced = content.Length;
    }

    /// <summary>Fetches the file and returns the hash.</summary>
    /// <exception cref="TransferException">The file could not be read.</exception>
    public async ValueTask<ContentHash> RunAsync(TransferSession session, CancellationToken ct)
    {
        await FetchAsync(session, ct).ConfigureAwait(false);
        return _content.Finish();
    }

    public void Dispose() => _content.Dispose();

    private static HashedContent Sink(NoContent content, string algorithm, ContentFlow flow) =>
        new(new FlowContent(flow, content), algorithm);

    /// <summary>A content that discards the bytes.</summary>
    private sealed class NoContent(long length) : EngineContent
    {
        public override long? Length => length;

        public override bool CanReplay => false;

        public override ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct) => default;
    }
}
