using Transfer.TestSupport.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Sftp.Described;

/// <summary>
/// Objects of a store: each appears when the handle is closed, and replaces the one before as a whole; no part is written anew, no time
/// and no mode is kept.
/// </summary>
internal class ObjectStore(MemoryStore inner) : StoreFront(inner)
{
    private readonly MemoryStore _inner = inner;

    /// <summary>RENAME replaces an object of the new name, whatever the draft has.</summary>
    public bool RenameReplaces { get; init; }

    /// <summary>Folders, which are prefixes of objects' names, can be renamed.</summary>
    public bool RenamesFolders { get; init; }

    public override async ValueTask<Stream> OpenWriteAsync(
        string path, long offset, bool truncate = true, bool createNew = false, CancellationToken ct = default)
    {
        var found = await _inner.GetAsync(path, ct);
        if (createNew && found is not null) throw new IOException("It exists.");
        if (offset != 0 || (!truncate && found is not null)) throw new IOException("Random writes are not supported.");
        return new ObjectStream(content => _inner.AddFile(path, content));
    }

    public override async ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default)
    {
        if (!RenamesFolders && await _inner.GetAsync(from, ct) is { IsDirectory: true })
            throw new NotSupportedException("Folders are not renamed.");
        await _inner.MoveAsync(from, to, replace || RenameReplaces, ct);
    }

    public override ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken ct = default) => default;

    public override ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken ct = default) => default;

    private sealed class ObjectStream(Action<byte[]> put) : MemoryStream
    {
        private bool _isPut;

        protected override void Dispose(bool disposing)
        {
            if (!_isPut) put(ToArray());
            _isPut = true;
            base.Dispose(disposing);
        }
    }
}
