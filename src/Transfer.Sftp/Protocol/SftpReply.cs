namespace Transfer.Sftp.Protocol;

/// <summary>The reply to one request.</summary>
internal readonly struct SftpReply
{
    /// <summary>The status; <see cref="SftpStatus.Ok"/> too for replies other than STATUS.</summary>
    public SftpStatus Status { get; init; }

    /// <summary>The server's text beside a status other than OK, in a form to show: for messages, never for decisions.</summary>
    public string? Text { get; init; }

    /// <summary>HANDLE.</summary>
    public byte[]? Handle { get; init; }

    /// <summary>ATTRS.</summary>
    public SftpAttributes Attributes { get; init; }

    /// <summary>
    /// The bytes of DATA, or the fields of NAME and EXTENDED_REPLY; the receiver returns the buffer to <see cref="SftpBuffers"/>.
    /// </summary>
    public byte[]? Buffer { get; init; }

    /// <summary>How much of <see cref="Buffer"/> is used.</summary>
    public int Count { get; init; }

    public bool IsOk => Status == SftpStatus.Ok;

    public ReadOnlySpan<byte> Bytes => Buffer.AsSpan(0, Count);
}
