namespace Transfer.Sftp.Protocol;

/// <summary>A limit that never changes.</summary>
internal sealed class FixedLimit(long bytes) : IByteLimit
{
    public long Bytes => bytes;

    public void Reached()
    {
    }

    public void Moved(int bytes)
    {
    }
}
