using Transfer.Testing.Faults;


namespace Transfer.Testing.Sftp;

/// <summary>An open file.</summary>
internal sealed class FileHandle(string path, Stream? read, Stream? write, bool appends) : OpenHandle(path)
{
    private readonly ContentFaults _reading = new("READ", path);
    private readonly ContentFaults _writing = new("WRITE", path);

    public Stream? Read => read;

    public Stream? Write => write;

    /// <summary>Whether every WRITE goes to the end, whatever its offset.</summary>
    public bool Appends => appends;

    public ContentFaults Faults(bool writes) => writes ? _writing : _reading;

    public override async ValueTask DisposeAsync()
    {
        if (read is not null) await read.DisposeAsync().ConfigureAwait(false);
        if (write is not null) await write.DisposeAsync().ConfigureAwait(false);
    }
}
