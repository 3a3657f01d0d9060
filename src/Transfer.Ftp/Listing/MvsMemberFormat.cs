using System.Buffers;

namespace Transfer.Ftp.Listing;

/// <summary>
/// Members of a z/OS partitioned data set: <c>Name VV.MM Created Changed Size Init Mod Id</c>, or of a load library, or bare names.
/// Sizes are in lines, so no length is known.
/// </summary>
internal static class MvsMemberFormat
{
    private const int LongestName = 8;

    /// <summary>The characters of data set names, their separator, and the quotes of a full name.</summary>
    public static readonly SearchValues<char> DataSetCharacters = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$-.'");

    private static readonly SearchValues<char> MemberCharacters = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$");

    /// <summary>Parses a header (which names nothing) or a member with statistics: nothing else looks like them.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        var name = scanner.Next();
        var version = scanner.Next();
        if (name is "Name") return version is "VV.MM" || (version is "Size" && scanner.Next() is "TTR");
        if (!IsName(name) || version.Length != 5 || version[2] != '.') return false;
        if (!ListNumber.IsDigits(version[..2]) || !ListNumber.IsDigits(version[3..])) return false;
        if (!ListDate.TryParse(scanner.Next(), DateOrders.YearFirst, out var created)) return false;
        if (!ListDate.TryParse(scanner.Next(), DateOrders.YearFirst, out var changed)) return false;
        if (!ListDate.TryParseTime(scanner.Next(), out var time, out _)) return false;

        listed.Name = name;
        listed.Created = context.At(created);
        listed.Modified = context.At(changed, time);
        // Size, Init, Mod.
        for (var i = 0; i < 3; i++) _ = scanner.Next();
        listed.Owner = scanner.Next();
        return true;
    }

    /// <summary>Parses any line behind a members' header: the first field is the name, the rest may be blank.</summary>
    public static bool TryParseBare(ReadOnlySpan<char> line, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        var name = scanner.Next();
        if (!IsName(name)) return false;
        listed.Name = name;
        return true;
    }

    private static bool IsName(ReadOnlySpan<char> name) =>
        name.Length is > 0 and <= LongestName && !char.IsAsciiDigit(name[0]) && !name.ContainsAnyExcept(MemberCharacters);
}
