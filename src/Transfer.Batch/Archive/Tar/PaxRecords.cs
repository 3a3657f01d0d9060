using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Transfer.Batch.Archive.Delta;

namespace Transfer.Batch.Archive.Tar;

/// <summary>What pax extended headers say of the next entry. Keys that nobody here knows are passed over.</summary>
internal sealed class PaxRecords
{
    /// <summary>Bytes of the longest extended header that is read.</summary>
    public const int MostLength = 1 << 16;

    // Longer files than any, and behind them room for what is written there.
    private const long MostTotal = 1L << 60;

    private long? _sliceFile;
    private long? _sliceOffset;
    private long? _sliceTotal;
    private long? _deltaBase;
    private long? _deltaBlock;
    private long? _deltaLength;
    private byte[]? _deltaHash;
    private byte[]? _deltaBaseHash;

    public string? Path { get; set; }

    public string? LinkPath { get; set; }

    public long? Size { get; private set; }

    public DateTime? Modified { get; private set; }

    public DateTime? Created { get; private set; }

    /// <summary>Of a global header.</summary>
    public long? Spoilt { get; private set; }

    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: a part of it is missing, or it makes no sense.</exception>
    public TarSlice? Slice
    {
        get
        {
            if (_sliceFile is null && _sliceOffset is null && _sliceTotal is null) return null;
            return (_sliceFile, _sliceOffset, _sliceTotal) is ({ } file, { } offset, { } total) && offset <= total && total <= MostTotal ? new TarSlice(file, offset, total) : throw Malformed();
        }
    }

    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: a part of it is missing, or it makes no sense.</exception>
    public TarDelta? Delta
    {
        get
        {
            if (_deltaBase is null && _deltaBlock is null && _deltaLength is null && _deltaHash is null && _deltaBaseHash is null) return null;
            return (_deltaBase, _deltaBlock, _deltaLength, _deltaHash) is ({ } length, { } block, { } total, { } hash)
                && block <= BlockShape.MostBlock && new BlockShape(length, (int)block, BlockShape.LeastStrong).IsValid && total <= MostTotal
                    ? new TarDelta(length, (int)block, total, hash, _deltaBaseHash)
                    : throw Malformed();
        }
    }

    /// <summary>Reads the body of an extended header.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: it is malformed.</exception>
    public void Read(ReadOnlySpan<byte> body)
    {
        while (!body.IsEmpty)
        {
            var blank = body.IndexOf((byte)' ');
            if (blank <= 0 || !int.TryParse(body[..blank], NumberStyles.None, CultureInfo.InvariantCulture, out var length)) throw Malformed();
            if (length < blank + 3 || length > body.Length || body[length - 1] != '\n') throw Malformed();
            var record = body[(blank + 1)..(length - 1)];
            var equals = record.IndexOf((byte)'=');
            if (equals <= 0) throw Malformed();
            Take(record[..equals], record[(equals + 1)..]);
            body = body[length..];
        }
    }

    /// <summary>Decodes a name, which is bytes whatever the header says of them.</summary>
    public static string Decode(ReadOnlySpan<byte> bytes) => NameEncoding.LosslessUtf8.GetString(bytes);

    private void Take(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        switch (Encoding.ASCII.GetString(key))
        {
            case TarFormat.PathKey:
                Path = Decode(value);
                break;
            case TarFormat.LinkPathKey:
                LinkPath = Decode(value);
                break;
            case TarFormat.SizeKey:
                Size = Number(value);
                break;
            case TarFormat.ModifiedKey:
                Modified = PaxTime.Parse(value) ?? throw Malformed();
                break;
            case TarFormat.CreatedKey:
                Created = PaxTime.Parse(value) ?? throw Malformed();
                break;
            case TarFormat.SliceFileKey:
                _sliceFile = Number(value);
                break;
            case TarFormat.SliceOffsetKey:
                _sliceOffset = Number(value);
                break;
            case TarFormat.SliceTotalKey:
                _sliceTotal = Number(value);
                break;
            case TarFormat.DeltaBaseKey:
                _deltaBase = Number(value);
                break;
            case TarFormat.DeltaBlockKey:
                _deltaBlock = Number(value);
                break;
            case TarFormat.DeltaLengthKey:
                _deltaLength = Number(value);
                break;
            case TarFormat.DeltaHashKey:
                _deltaHash = Hash(value);
                break;
            case TarFormat.DeltaBaseHashKey:
                _deltaBaseHash = Hash(value);
                break;
            case TarFormat.SpoiltKey:
                Spoilt = Number(value);
                break;
        }
    }

    private static long Number(ReadOnlySpan<byte> value) =>
        long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : throw Malformed();

    private static byte[] Hash(ReadOnlySpan<byte> value)
    {
        var hash = new byte[SHA256.HashSizeInBytes];
        return value.Length == 2 * hash.Length && Convert.FromHexString(value, hash, out _, out _) == OperationStatus.Done ? hash : throw Malformed();
    }

    private static TransferException Malformed() => new(TransferError.Protocol, "An extended header in the archive is malformed.");
}
