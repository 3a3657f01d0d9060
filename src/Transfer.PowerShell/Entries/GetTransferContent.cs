using System.Management.Automation;
using System.Text;

namespace Transfer.PowerShell.Entries;

/// <summary>Reads files of a server: by line, as one text, or as bytes. If only the beginning is read, the rest is not fetched.</summary>
[Cmdlet(VerbsCommon.Get, "TransferContent", DefaultParameterSetName = ByPath)]
[OutputType(typeof(string), typeof(byte))]
public sealed class GetTransferContent : PathCmdlet
{
    private const int Chunk = 1 << 16;

    /// <summary>The text's encoding; UTF-8 by default. A byte order mark counts.</summary>
    [Parameter]
    [TextEncoding]
    [ValidateNotNull]
    public Encoding Encoding { get; set; } = new UTF8Encoding(false);

    /// <summary>Bytes instead of text; with -Raw one array.</summary>
    [Parameter]
    public SwitchParameter AsByteStream { get; set; }

    /// <summary>The whole content as one object.</summary>
    [Parameter]
    public SwitchParameter Raw { get; set; }

    /// <summary>So many lines, or bytes, from the beginning.</summary>
    [Parameter]
    [Alias("First", "Head")]
    [ValidateRange(0, long.MaxValue)]
    public long? TotalCount { get; set; }

    /// <summary>So many lines from the end.</summary>
    [Parameter]
    [Alias("Last")]
    [ValidateRange(0, int.MaxValue)]
    public int? Tail { get; set; }

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        if (Tail is not null && (TotalCount is not null || Raw || AsByteStream))
            Fail(new ArgumentException("Tail goes without TotalCount, Raw and AsByteStream."));
        ForEachEntry(entry =>
        {
            if (!TryAwait(token => Client.OpenReadAsync(entry.Path, null, token).AsTask(), entry, out var content)) return;
            try
            {
                if (AsByteStream) ReadBytes(content, entry);
                else ReadText(content, entry);
            }
            finally
            {
                Task.Run(() => content.DisposeAsync().AsTask()).GetAwaiter().GetResult();
            }
        });
    }

    private void ReadBytes(Stream content, RemoteEntry entry)
    {
        var (buffer, left, all) = (new byte[Chunk], TotalCount ?? long.MaxValue, new MemoryStream());
        var hasBegun = false;
        while (left > 0)
        {
            if (!TryRead(token => content.ReadAsync(buffer.AsMemory(0, (int)Math.Min(Chunk, left)), token).AsTask(), entry, hasBegun,
                out var read))
            {
                return;
            }
            if (read == 0) break;
            (left, hasBegun) = (left - read, true);
            if (Raw) all.Write(buffer, 0, read);
            else WriteObject(buffer[..read], enumerateCollection: true);
        }
        if (Raw) WriteObject(all.ToArray());
    }

    private void ReadText(Stream content, RemoteEntry entry)
    {
        using var reader = new StreamReader(content, Encoding, detectEncodingFromByteOrderMarks: true, Chunk, leaveOpen: true);
        if (Raw) ReadWhole(reader, entry);
        else ReadLines(reader, entry);
    }

    private void ReadWhole(StreamReader reader, RemoteEntry entry)
    {
        var (buffer, all) = (new char[Chunk], new StringBuilder());
        for (var read = -1; read != 0; all.Append(buffer, 0, read))
        {
            if (!TryRead(token => reader.ReadAsync(buffer, token).AsTask(), entry, hasBegun: all.Length > 0, out read)) return;
        }
        WriteObject(all.ToString());
    }

    private void ReadLines(StreamReader reader, RemoteEntry entry)
    {
        var last = new Queue<string>();
        var most = TotalCount ?? long.MaxValue;
        for (var count = 0L; count < most; count++)
        {
            if (!TryRead(token => reader.ReadLineAsync(token).AsTask(), entry, hasBegun: count > 0, out var line)) return;
            if (line is null) break;
            if (Tail is null)
            {
                WriteObject(line);
                continue;
            }
            last.Enqueue(line);
            if (last.Count > Tail) last.Dequeue();
        }
        WriteObject(last.ToArray(), enumerateCollection: true);
    }

    // False: nothing of the file was read, and the error is written. Behind the beginning an error ends the command: a cmdlet behind this
    // one would take the part for the whole.
    private bool TryRead<T>(Func<CancellationToken, Task<T>> read, RemoteEntry entry, bool hasBegun, out T result)
    {
        if (!hasBegun) return TryAwait(read, entry, out result);
        result = Await(read, entry);
        return true;
    }
}
