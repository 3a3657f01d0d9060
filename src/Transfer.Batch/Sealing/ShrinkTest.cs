namespace Transfer.Batch.Sealing;

/// <summary>
/// Guesses from a few bytes whether content is worth compressing: how often two of them are alike. Random bytes, and so compressed or
/// encrypted ones, are alike once in 256 times; base64 four times as often, text far more.
/// </summary>
internal static class ShrinkTest
{
    private const int Samples = 4;
    private const int SampleLength = 256;
    private const int Shortest = 64;

    public static bool Pays(ReadOnlySpan<byte> content)
    {
        if (content.Length < Shortest) return true;
        Span<ushort> counts = stackalloc ushort[256];
        counts.Clear();
        var looked = 0;
        if (content.Length <= Samples * SampleLength)
        {
            looked = Count(content, counts);
        }
        else
        {
            var step = (content.Length - SampleLength) / (Samples - 1);
            for (var i = 0; i < Samples; i++) looked += Count(content.Slice(i * step, SampleLength), counts);
        }
        long alike = 0;
        foreach (var count in counts) alike += count * (count - 1);

        // Half as often again as by chance, and more than chance varies by in a short content.
        var expected = looked * (looked - 1L) / 256;
        return alike > expected + expected / 2 + looked;
    }

    private static int Count(ReadOnlySpan<byte> bytes, Span<ushort> counts)
    {
        foreach (var value in bytes) counts[value]++;
        return bytes.Length;
    }
}
