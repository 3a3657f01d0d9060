using System.Globalization;
using System.Text;

namespace Transfer.Batch.Archive.Tar;

/// <summary>The records of pax extended headers about the next entry. Unknown keys are passed over.</summary>
internal sealed class PaxRecords
{
    /// <summary>The bytes of the longest extended header that is read.</summary>
    public const int MostLength = 1 << 16;

    // Longer than any file, with room for the records behind the end of a sliced file.
    internal const long MostTotal = 1L << 60;

    private readonly PaxSlice _slice = new();
    private readonly PaxDelta _delta = new();

    public string? Path { get; set; }

    public string? LinkPath { get; set; }

    public long? Size { get; private set; }

    public DateTime? Modified { get; private set; }

    public DateTime? Created { get; private set; }

    /// <summary>The number of the invalid entry that a global header marks.</summary>
    public long? InvalidEntry { get; private set; }

    /// <inheritdoc cref="PaxSlice.Value"/>
    public TarSlice? Slice => _slice.Value;

    /// <inheritdoc cref="PaxDelta.Value"/>
    public TarDelta? Delta => _delta.Value;

    /// <summary>Reads the body of an extended header.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the body is malformed.</exception>
    public void Read(ReadOnlySpan<byte> body)
    {
        while (!body.IsEmpty)
        {
            var blank = body.IndexOf((byte)' ');
            if (blank <= 0 || !int.TryParse(body[..blank], NumberStyles.None, CultureInfo.InvariantCulture, out var length))
                throw PaxValue.Malformed();
            if (length < blank + 3 || length > body.Length || body[length - 1] != '\n') throw PaxValue.Malformed();
            var record = body[(blank + 1)..(length - 1)];
            var equals = record.IndexOf((byte)'=');
            if (equals <= 0) throw PaxValue.Malformed();
            Take(record[..equals], record[(equals + 1)..]);
            body = body[length..];
        }
    }

    /// <summary>Decodes a name, which is bytes regardless of the header's declaration.</summary>
    public static string Decode(ReadOnlySpan<byte> bytes) => NameEncoding.LosslessUtf8.GetString(bytes);

    private void Take(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        var name = Encoding.ASCII.GetString(key);
        if (_slice.TryTake(name, value) || _delta.TryTake(name, value)) return;
        switch (name)
        {
            case TarFormat.PathKey:
                Path = Decode(value);
                break;
            case TarFormat.LinkPathKey:
                LinkPath = Decode(value);
                break;
            case TarFormat.SizeKey:
                Size = PaxValue.Number(value);
                break;
            case TarFormat.ModifiedKey:
                Modified = PaxTime.Parse(value) ?? throw PaxValue.Malformed();
                break;
            case TarFormat.CreatedKey:
                Created = PaxTime.Parse(value) ?? throw PaxValue.Malformed();
                break;
            case TarFormat.SpoiltKey:
                InvalidEntry = PaxValue.Number(value);
                break;
        }
    }
}
