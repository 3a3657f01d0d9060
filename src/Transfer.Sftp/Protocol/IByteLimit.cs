namespace Transfer.Sftp.Protocol;

/// <summary>The limit of the bytes in flight. Called under the budget's lock.</summary>
internal interface IByteLimit
{
    long Bytes { get; }

    /// <summary>Notes that a request had to wait for the limit.</summary>
    void Reached();

    /// <summary>Counts bytes that have arrived.</summary>
    void Moved(int bytes);
}
