namespace Transfer.Sessions;

/// <summary>
/// An item's content as the stream that a one-at-a-time provider fills. Reports progress, and remembers local errors, as opposed to those
/// of the session.
/// </summary>
internal sealed class ContentWriteStream : SequentialStream
{
    private readonly WorkItem _item;
    private long _offset;

    public ContentWriteStream(WorkItem item)
    {
        _item = item;
        _offset = item.Offset;
    }

    /// <summary>The number of bytes written so far.</summary>
    public long Count => _offset - _item.Offset;

    /// <summary>Whether the provider has written beyond the file's length; the excess was dropped.</summary>
    public bool HasExceeded { get; private set; }

    /// <summary>
    /// Whether the provider was at the item's end, which the engine may have lowered meanwhile: another session moves the rest.
    /// </summary>
    public bool IsAtEnd { get; private set; }

    /// <summary>The exception of the content: no fault of the session's.</summary>
    public Exception? Fault { get; private set; }

    public override bool CanWrite => true;

    public override long Position
    {
        get => Count;
        set => throw new NotSupportedException();
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        // Files with a listed length of 0 may have content (/proc).
        if (_item.Announced is > 0 and var length && buffer.Length > length - _offset)
        {
            HasExceeded = true;
            buffer = buffer[..(int)Math.Max(0, length - _offset)];
        }
        if (!HasExceeded && _item.Claim(_offset, buffer.Length) is var claimed && claimed < buffer.Length)
        {
            IsAtEnd = true;
            buffer = buffer[..claimed];
        }
        try
        {
            if (!buffer.IsEmpty) await _item.Content.WriteAsync(_offset, buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            Fault = LocalEnd.Failed(_item, e);
            throw Fault;
        }
        catch (Exception e)
        {
            Fault = e;
            throw;
        }
        _offset += buffer.Length;
        _item.Report(buffer.Length);
        if (IsAtEnd) throw new TransferException(TransferError.Lost, "The rest is not this session's to move.") { RemotePath = _item.Path };
        if (HasExceeded)
        {
            throw new TransferException(TransferError.Integrity,
                $"More bytes came than the {_item.Announced} of the file.")
            { RemotePath = _item.Path };
        }
    }
}
