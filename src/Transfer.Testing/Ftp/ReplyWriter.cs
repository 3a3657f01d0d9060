using System.Globalization;
using System.Text;
using Transfer.Testing.Connections;

namespace Transfer.Testing.Ftp;

/// <summary>
/// Writes replies (RFC 959 4.2), one write each as real servers do. Several tasks may write; a reply is never split by another.
/// </summary>
internal sealed class ReplyWriter : IDisposable
{
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly Encoding _encoding;
    private Stream _stream;

    public ReplyWriter(Stream stream, Encoding encoding)
    {
        _stream = stream;
        _encoding = encoding;
    }

    /// <summary>Changes the stream between two replies.</summary>
    public void Use(Stream stream) => _stream = stream;

    public ValueTask WriteAsync(string text, CancellationToken ct) => WriteAsync(_encoding.GetBytes(text), ct);

    public async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken ct)
    {
        await _gate.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            await _stream.WriteAsync(bytes, ct).ConfigureAwait(false);
            await _stream.FlushAsync(ct).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            throw new ConnectionLostException(e);
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>A reply with a text of one or more lines: the code and a hyphen on all but the last.</summary>
    public static string Format(int code, string text)
    {
        var lines = text.ReplaceLineEndings("\n").Split('\n');
        var reply = new StringBuilder();
        for (var i = 0; i < lines.Length; i++)
            reply.Append(CultureInfo.InvariantCulture, $"{code:D3}{(i < lines.Length - 1 ? '-' : ' ')}{lines[i]}\r\n");
        return reply.ToString();
    }

    /// <summary>A reply with middle lines that start with a space, as for FEAT, STAT and MLST.</summary>
    public static string Format(int code, string first, IEnumerable<string> middle, string last)
    {
        var reply = new StringBuilder();
        reply.Append(CultureInfo.InvariantCulture, $"{code:D3}-{first}\r\n");
        foreach (var line in middle) reply.Append(CultureInfo.InvariantCulture, $" {line}\r\n");
        reply.Append(CultureInfo.InvariantCulture, $"{code:D3} {last}\r\n");
        return reply.ToString();
    }

    public void Dispose() => _gate.Dispose();
}
