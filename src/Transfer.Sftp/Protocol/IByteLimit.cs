namespace Transfer.Sftp.Protocol;

/// <summary>How many bytes may be on their way. Called under its budget's lock.</summary>
internal interface IByteLimit
{
    long Bytes { get; }

    /// <summary>Somebody had to wait for it.</summary>
    void Reached();

    /// <summary>So many bytes have arrived.</summary>
    void Moved(int bytes);
}
