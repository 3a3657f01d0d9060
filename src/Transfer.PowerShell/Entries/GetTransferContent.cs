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
        while (left > 0
            && TryAwait(token => content.ReadAsync(buffer.AsMemory(0, (int)Math.Min(Chunk, left)), token).AsTask(), entry, out var read)
                && read > 0)
        {
            left -= read;
            if (Raw) all.Write(buffer, 0, read);
            else WriteObject(buffer[..read], enumerateCollection: true);
        }
        if (Raw) WriteObject(all.ToArray());
    }

    private void ReadText(Stream content, RemoteEntry entry)
    {
        using var reader = new StreamReader(content, Encoding, detectEncodingFromByteOrderMarks: true, Chunk, leaveOpen: true);
        if (Raw)
        {
            if (TryAwait(reader.ReadToEndAsync, entry, out var text)) WriteObject(text);
            return;
        }
        var last = new Queue<string>();
        for (var left = TotalCount ?? long.MaxValue; left > 0
            && TryAwait(token => reader.ReadLineAsync(token).AsTask(), entry, out var line) && line is not null; left--)
        {
            if (Tail is not { } most)
            {
                WriteObject(line);
            }
            else if (most > 0)
            {
                if (last.Count == most) last.Dequeue();
                last.Enqueue(line);
            }
        }
        WriteObject(last.ToArray(), enumerateCollection: true);
    }
}
