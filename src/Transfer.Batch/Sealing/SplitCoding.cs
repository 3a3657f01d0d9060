using System.Buffers.Binary;
using System.IO.Compression;

namespace Transfer.Batch.Sealing;

/// <summary>
/// Payload whose parts are compressed or stored (docs/internals/batch-format.md, "Split frames"). The tar headers of small files are a
/// seventh of the stream and shrink to nothing; the content between them often does not shrink at all, and costs no time here.
/// </summary>
internal static class SplitCoding
{
    private const int Front = 2 * sizeof(int);
    private const int RunLength = 2 * sizeof(int);
    private const int LeastRun = 128;
    private const int Quality = 1;

    // For headers only: they shrink to nearly nothing at any quality, and for the better one the compressor allocates six times as much
    // memory for each frame.
    // That was a tenth of the sender's work for small files.
    private const int QualityOfHeaders = 0;
    private const int HeadersAtMost = 4;

    // A frame's text is not much longer.
    private const int Window = 18;

    // With less, the table costs as much as compression saves.
    private const int LeastShrinking = 256;

    /// <summary>The most bytes of the compressed part, before compression.</summary>
    public static int MostText(int mostPayload) => sizeof(int) + RunLength * MostRuns(mostPayload) + mostPayload;

    /// <summary>The most pairs of a part that is compressed and one that is not.</summary>
    public static int MostRuns(int mostPayload) => mostPayload / LeastRun;

    /// <summary>Encodes a payload.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="runs">The payload's parts.</param>
    /// <param name="text">Room for <see cref="MostText"/> bytes.</param>
    /// <param name="body">Room for the payload's length.</param>
    /// <returns>The body's length; 0: the body would not be shorter than the payload.</returns>
    public static int Encode(ReadOnlySpan<byte> payload, List<FrameRun> runs, Span<byte> text, Span<byte> body)
    {
        var shrinking = 0;
        foreach (var run in runs) shrinking += run.Shrinks ? run.Length : 0;
        var pairs = (runs.Count + 2) / 2;
        if (shrinking < LeastShrinking || pairs > MostRuns(payload.Length)) return 0;
        var length = Gather(payload, runs, pairs, text);
        var kept = payload.Length - shrinking;
        var room = payload.Length - Front - kept - 1;
        var quality = shrinking <= payload.Length / HeadersAtMost ? QualityOfHeaders : Quality;
        if (room <= 0 || !BrotliEncoder.TryCompress(text[..length], body.Slice(Front, room), out var compressed, quality, Window)) return 0;
        BinaryPrimitives.WriteInt32BigEndian(body, compressed);
        BinaryPrimitives.WriteInt32BigEndian(body[sizeof(int)..], length);
        var at = Front + compressed;
        var from = 0;
        foreach (var run in runs)
        {
            if (!run.Shrinks) payload.Slice(from, run.Length).CopyTo(body[at..]);
            at += run.Shrinks ? 0 : run.Length;
            from += run.Length;
        }
        return at;
    }

    /// <summary>Decodes a body into a payload of a known length.</summary>
    /// <param name="body">The body.</param>
    /// <param name="text">Room for <see cref="MostText"/> bytes.</param>
    /// <param name="payload">The payload, of the length in the frame's head; all of it is written.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the body does not decode to exactly that
    /// length.</exception>
    public static void Decode(ReadOnlySpan<byte> body, Span<byte> text, Span<byte> payload)
    {
        if (body.Length < Front) throw Malformed();
        var compressed = BinaryPrimitives.ReadInt32BigEndian(body);
        var length = BinaryPrimitives.ReadInt32BigEndian(body[sizeof(int)..]);
        body = body[Front..];
        if (compressed < 0 || compressed > body.Length || length < sizeof(int) || length > MostText(payload.Length)) throw Malformed();
        // The decoder gets no more room than the body declares: a stream that grows beyond that is refused.
        if (!BrotliDecoder.TryDecompress(body[..compressed], text[..length], out var written) || written != length) throw Malformed();
        Scatter(text[..length], body[compressed..], payload);
    }

    // The table first: how many pairs, then of each how much is compressed and how much is not.
    private static int Gather(ReadOnlySpan<byte> payload, List<FrameRun> runs, int pairs, Span<byte> text)
    {
        var table = text.Slice(sizeof(int), RunLength * pairs);
        table.Clear();
        BinaryPrimitives.WriteInt32BigEndian(text, pairs);
        var slot = 0;
        var at = sizeof(int) + table.Length;
        var from = 0;
        foreach (var run in runs)
        {
            // Even slots shrink.
            if (run.Shrinks != (slot % 2 == 0)) slot++;
            BinaryPrimitives.WriteInt32BigEndian(table[(slot++ * sizeof(int))..], run.Length);
            if (run.Shrinks)
            {
                payload.Slice(from, run.Length).CopyTo(text[at..]);
                at += run.Length;
            }
            from += run.Length;
        }
        return at;
    }

    private static void Scatter(ReadOnlySpan<byte> text, ReadOnlySpan<byte> kept, Span<byte> payload)
    {
        var pairs = BinaryPrimitives.ReadInt32BigEndian(text);
        text = text[sizeof(int)..];
        if (pairs < 0 || pairs > MostRuns(payload.Length) || pairs * RunLength > text.Length) throw Malformed();
        var table = text[..(pairs * RunLength)];
        text = text[table.Length..];
        for (; !table.IsEmpty; table = table[RunLength..])
        {
            Take(BinaryPrimitives.ReadInt32BigEndian(table), ref text, ref payload);
            Take(BinaryPrimitives.ReadInt32BigEndian(table[sizeof(int)..]), ref kept, ref payload);
        }
        if (!text.IsEmpty || !kept.IsEmpty || !payload.IsEmpty) throw Malformed();
    }

    private static void Take(int length, ref ReadOnlySpan<byte> from, ref Span<byte> to)
    {
        if (length < 0 || length > from.Length || length > to.Length) throw Malformed();
        from[..length].CopyTo(to);
        from = from[length..];
        to = to[length..];
    }

    private static TransferException Malformed() => new(TransferError.Protocol, "A frame of the archive does not decode.");
}
