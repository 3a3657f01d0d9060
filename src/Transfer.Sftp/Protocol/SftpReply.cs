namespace Transfer.Sftp.Protocol;

/// <summary>What came back for one request.</summary>
internal readonly struct SftpReply
{
    /// <summary>The status; <see cref="SftpStatus.Ok"/> too when something other than STATUS came.</summary>
    public SftpStatus Status { get; init; }

    /// <summary>The server's words beside a status other than OK: for messages, never for decisions.</summary>
    public string? Text { get; init; }

    /// <summary>HANDLE.</summary>
    public byte[]? Handle { get; init; }

    /// <summary>ATTRS.</summary>
    public SftpAttributes Attributes { get; init; }

    /// <summary>DATA's bytes, or NAME's and EXTENDED_REPLY's fields: the receiver gives the buffer back to <see cref="SftpBuffers"/>.</summary>
    public byte[]? Buffer { get; init; }

    /// <summary>How much of <see cref="Buffer"/> is used.</summary>
    public int Count { get; init; }

    public bool IsOk => Status == SftpStatus.Ok;

    public ReadOnlySpan<byte> Bytes => Buffer.AsSpan(0, Count);
}
