namespace Transfer.Testing.Sftp;

/// <summary>A file or directory that a client has open.</summary>
internal abstract class OpenHandle(string path) : IAsyncDisposable
{
    /// <summary>The absolute path of the OPEN or OPENDIR.</summary>
    public string Path => path;

    public abstract ValueTask DisposeAsync();
}
