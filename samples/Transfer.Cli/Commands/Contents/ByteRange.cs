using Transfer.Cli.Options;

namespace Transfer.Cli.Commands.Contents;

/// <summary>A range of a file: from an offset on, or the last bytes.</summary>
/// <param name="First">The first byte; null: the range is the last bytes.</param>
/// <param name="Length">The number of bytes; null: to the end.</param>
internal sealed record ByteRange(long? First, long? Length)
{
    /// <summary>Reads <c>A-B</c>, <c>A-</c> or <c>-N</c>.</summary>
    public static ByteRange Parse(string text)
    {
        var dash = text.IndexOf('-', StringComparison.Ordinal);
        if (dash < 0) throw Wrong();
        var first = dash == 0 ? (long?)null : SizeText.TryParse(text[..dash]) ?? throw Wrong();
        var last = dash == text.Length - 1 ? (long?)null : SizeText.TryParse(text[(dash + 1)..]) ?? throw Wrong();
        return (first, last) switch
        {
            (null, null) => throw Wrong(),
            (null, { } count) => new ByteRange(null, count),
            ({ } start, null) => new ByteRange(start, null),
            ({ } start, { } end) => end >= start ? new ByteRange(start, end - start + 1) : throw Wrong(),
        };

        static UsageException Wrong() => new("--range wants A-B, A- or -N.");
    }

    /// <summary>The part of a file to read.</summary>
    public async ValueTask<ReadOptions> OfAsync(TransferClient client, string path, CancellationToken ct)
    {
        if (First is { } first) return new ReadOptions { Offset = first, Length = Length, Sequential = true };
        var entry = await client.GetEntryAsync(path, ct)
            ?? throw new TransferException(TransferError.NotFound, "There is no such file.") { RemotePath = path };
        return new ReadOptions { Offset = Math.Max(0, LengthOf(entry, path) - Length.GetValueOrDefault()), Sequential = true };
    }

    /// <summary>The exact length of a file.</summary>
    /// <param name="file">The file.</param>
    /// <param name="path">The path for the error.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: the server does not report it.</exception>
    public static long LengthOf(RemoteEntry file, string path) => file is { Length: { } length, IsLengthApproximate: false }
        ? length
        : throw new TransferException(TransferError.Unsupported, "The server does not report the file's length.") { RemotePath = path };
}
