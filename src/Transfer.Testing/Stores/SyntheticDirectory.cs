using System.Globalization;

namespace Transfer.Testing.Stores;

/// <summary>A read-only directory of any number of generated files, named <c>file-0000000.dat</c> and on, that takes no memory.</summary>
internal sealed class SyntheticDirectory : MemoryDirectory
{
    private const string Prefix = "file-";
    private const string Suffix = ".dat";
    private const int Digits = 7;

    private readonly int _count;
    private readonly long _length;

    public SyntheticDirectory(int count, long length)
    {
        _count = count;
        _length = length;
    }

    public override bool IsEmpty => _count == 0;

    public override MemoryNode? Find(string name)
    {
        var numbered = name.Length == Prefix.Length + Digits + Suffix.Length
            && name.StartsWith(Prefix, StringComparison.Ordinal)
            && name.EndsWith(Suffix, StringComparison.Ordinal);
        if (!numbered) return null;
        if (!int.TryParse(name.AsSpan(Prefix.Length, Digits), NumberStyles.None, CultureInfo.InvariantCulture, out var index)) return null;
        if (index >= _count) return null;
        return new MemoryFile(new GeneratedContent(_length, index)) { Modified = Modified.AddSeconds(index) };
    }

    public override void Set(string name, MemoryNode node) =>
        throw new UnauthorizedAccessException("The generated directory is read-only.");

    public override void Remove(string name) => throw new UnauthorizedAccessException("The generated directory is read-only.");

    public override IEnumerable<TestEntry> Snapshot(Func<string, MemoryLink, TestEntry> describe)
    {
        for (var i = 0; i < _count; i++)
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"{Prefix}{i:D7}{Suffix}");
            yield return new TestEntry { Name = name, Length = _length, Modified = Modified.AddSeconds(i) };
        }
    }
}
