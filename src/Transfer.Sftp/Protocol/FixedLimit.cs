namespace Transfer.Sftp.Protocol;

/// <summary>Always the same.</summary>
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
