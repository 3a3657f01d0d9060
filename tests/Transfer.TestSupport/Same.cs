namespace Transfer.TestSupport;

/// <summary>Compares contents; NUnit's own comparison takes seconds for a few hundred kilobytes.</summary>
internal static class Same
{
    public static void Bytes(ReadOnlySpan<byte> actual, ReadOnlySpan<byte> expected, string what = "content")
    {
        var common = actual.CommonPrefixLength(expected);
        Assert.That((actual.Length, common), Is.EqualTo((expected.Length, expected.Length)), $"{what}: length, and bytes that agree");
    }
}
