namespace Transfer.Sessions;

/// <summary>
/// An item's content as the stream that a one-at-a-time provider reads. Reports progress, and remembers local errors, as opposed to those
/// of the session.
/// </summary>
internal sealed class ContentReadStream : SequentialStream
{
    private readonly WorkItem _item;
    private long _offset;

    public ContentReadStream(WorkItem item)
    {
        _item = item;
        _offset = item.Offset;
    }

    /// <summary>The number of bytes read so far.</summary>
    public long Count => _offset - _item.Offset;

    /// <summary>Whether the content was read to the end.</summary>
    public bool Ended { get; private set; }

    /// <summary>The exception of the content: no fault of the session's.</summary>
    public Exception? Fault { get; private set; }

    public override bool CanRead => true;

    public override long Position
    {
        get => Count;
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var wanted = (int)Math.Min(buffer.Length, _item.End - _offset);
        if (wanted == 0)
        {
            Ended |= buffer.Length > 0;
            return 0;
        }
        try
        {
            var read = await _item.Content.ReadAsync(_offset, buffer[..wanted], cancellationToken).ConfigureAwait(false);
            _offset += read;
            if (read == 0) Ended = true;
            else _item.Report(read);
            return read;
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
    }
}
