namespace Transfer.Testing.Hashing;

/// <summary>CRC-32 as in Ethernet and zip (ISO 3309), which the framework has no public form of.</summary>
internal static class Crc32
{
    public const uint Start = 0xFFFFFFFF;

    private const uint ReversedPolynomial = 0xEDB88320;

    private static readonly uint[] Table = CreateTable();

    public static uint Append(uint crc, ReadOnlySpan<byte> bytes)
    {
        foreach (var value in bytes) crc = Table[(byte)crc ^ value] ^ (crc >> 8);
        return crc;
    }

    /// <summary>The checksum as eight upper-case hex digits.</summary>
    public static string Finish(uint crc) => (~crc).ToString("X8", System.Globalization.CultureInfo.InvariantCulture);

    private static uint[] CreateTable()
    {
        var table = new uint[256];
        for (var i = 0u; i < table.Length; i++)
        {
            var crc = i;
            for (var bit = 0; bit < 8; bit++) crc = (crc & 1) != 0 ? ReversedPolynomial ^ (crc >> 1) : crc >> 1;
            table[i] = crc;
        }

        return table;
    }
}
