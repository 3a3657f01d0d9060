using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Provider;

namespace Transfer.PowerShell.Drives;

/// <summary>
/// Reads a file of a drive for Get-Content: by line, as one text, or as bytes. The rest behind the last requested line or byte stays at
/// the server, except for a buffer.
/// </summary>
/// <param name="work">Waits on the pipeline's thread.</param>
/// <param name="content">The file.</param>
/// <param name="parameters">Line, text or bytes, and the encoding.</param>
internal sealed class DriveContentReader(DriveWork work, Stream content, ReadParameters parameters) : IContentReader
{
    private const int Chunk = 1 << 16;

    private readonly StreamReader _text = new(content, parameters.Encoding, detectEncodingFromByteOrderMarks: true, Chunk);
    private readonly Queue<string> _lines = [];
    private readonly byte[] _bytes = new byte[Chunk];
    private (int At, int End) _unread;
    private bool _isRead;
    private bool _hasBegun;

    /// <inheritdoc/>
    public IList Read(long readCount)
    {
        try
        {
            var found = parameters.Raw ? ReadAll() : ReadSome(readCount);
            _hasBegun = true;
            return found;
        }
        catch (RuntimeException e) when (_hasBegun && e is not PipelineStoppedException)
        {
            return new FailedContent(e);
        }
    }

    /// <inheritdoc/>
    public void Seek(long offset, SeekOrigin origin) =>
        throw new NotSupportedException("The content of a server's file is read from its beginning.");

    /// <inheritdoc/>
    public void Close() => Dispose();

    /// <inheritdoc/>
    public void Dispose()
    {
        Task.Run(() => content.DisposeAsync().AsTask()).GetAwaiter().GetResult();
        _text.Dispose();
    }

    private object[] ReadSome(long readCount)
    {
        // Zero and less: all that is left.
        var (found, left) = (new List<object>(), readCount > 0 ? readCount : long.MaxValue);
        for (; left > 0 && (parameters.AsByteStream ? (object?)NextByte() : NextLine()) is { } next; left--) found.Add(next);
        return found.ToArray();
    }

    private object[] ReadAll()
    {
        if (_isRead) return [];
        _isRead = true;
        if (!parameters.AsByteStream) return [work.Await(_text.ReadToEndAsync)];
        using var all = new MemoryStream();
        work.Await(token => content.CopyToAsync(all, token));
        return [all.ToArray()];
    }

    private string? NextLine()
    {
        if (_lines.Count == 0) work.Await(ReadLinesAsync);
        return _lines.TryDequeue(out var line) ? line : null;
    }

    // Several at once: a wait a line would cost more than the lines.
    private async Task<bool> ReadLinesAsync(CancellationToken ct)
    {
        for (var characters = 0; characters < Chunk;)
        {
            if (await _text.ReadLineAsync(ct).ConfigureAwait(false) is not { } line) break;
            _lines.Enqueue(line);
            characters += line.Length + 1;
        }
        return true;
    }

    private byte? NextByte()
    {
        if (_unread.At == _unread.End) _unread = (0, work.Await(token => content.ReadAsync(_bytes, token).AsTask()));
        return _unread.At == _unread.End ? null : _bytes[_unread.At++];
    }
}
