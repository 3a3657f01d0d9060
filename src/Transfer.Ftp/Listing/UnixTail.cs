using System.Buffers;

namespace Transfer.Ftp.Listing;

/// <summary>
/// The part of a Unix or NetWare line behind the permissions: <c>[links] [owner] [group] size date name</c>. The number of columns before
/// the size differs, and names of users and groups may hold spaces, so the first date behind a number is the anchor.
/// </summary>
internal static class UnixTail
{
    private const int MostFields = 16;

    // Links, owner and group.
    private const int Columns = 3;

    private static readonly SearchValues<char> SizeCharacters = SearchValues.Create("0123456789,.");

    /// <summary>Parses the tail. The resulting name begins with the separator behind the date.</summary>
    public static bool TryParse(ReadOnlySpan<char> tail, ListingContext context, ref ListedEntry listed) =>
        TryParse(tail, isJoined: false, context, ref listed) || TryParse(tail, isJoined: true, context, ref listed);

    /// <param name="tail">The text behind the permissions.</param>
    /// <param name="isJoined">
    /// Whether a long name of a group and the size are one field (<c>accounting1234</c>). Where the size begins is then unknown.
    /// </param>
    /// <param name="context">The clock.</param>
    /// <param name="listed">Receives the columns.</param>
    private static bool TryParse(ReadOnlySpan<char> tail, bool isJoined, ListingContext context, ref ListedEntry listed)
    {
        var scanner = new FieldScanner(tail);
        ReadOnlySpan<char> first = default, second = default, third = default, previous = default;
        for (var count = 0; count < (isJoined ? Columns + 1 : MostFields); count++)
        {
            if ((isJoined ? IsJoined(previous) : IsSize(previous)) && UnixDate.TryParse(ref scanner, context, ref listed))
            {
                listed.Name = scanner.Rest;
                listed.Owner = FindOwner(first, second, count - 1);
                // Else the end of a name may look like an owner, and the name like a date.
                if (isJoined) return ListNumber.IsDigits(first) || tail[..^listed.Name.Length].Contains(':');
                // With more columns one of the names holds a space, and which one is unknown.
                if (count - 1 == Columns && ListNumber.IsDigits(first) && !IsMajor(third)) listed.Group = third;
                if (ListNumber.TryParse(previous, out var length)) listed.Length = length;
                else if (ListNumber.TryParseRounded(previous, out length)) (listed.Length, listed.IsLengthApproximate) = (length, true);
                if (count == Columns && IsForks(first, second, previous)) listed.IsLengthApproximate = true;
                return true;
            }

            previous = scanner.Next();
            if (previous.IsEmpty) return false;
            if (count == 0) first = previous;
            if (count == 1) second = previous;
            if (count == 2) third = previous;
        }

        return false;
    }

    /// <summary>
    /// Whether a field is a number, a device's <c>major,minor</c>, a rounded size (<c>1.5K</c>), or the negative number of
    /// servers that count in 32 bits.
    /// </summary>
    private static bool IsSize(ReadOnlySpan<char> field)
    {
        if (field.Length > 1 && field[0] == '-') return ListNumber.IsDigits(field[1..]);
        if (field.IsEmpty || !char.IsAsciiDigit(field[0])) return false;
        return (char.IsAsciiDigit(field[^1]) && !field.ContainsAnyExcept(SizeCharacters)) || ListNumber.TryParseRounded(field, out _);
    }

    private static bool IsJoined(ReadOnlySpan<char> field) =>
        field.Length > 1 && char.IsLetter(field[0]) && char.IsAsciiDigit(field[^1]);

    /// <summary>
    /// Whether the columns are the lengths of a file's two forks and of both: Macintosh servers list those, and send one fork.
    /// </summary>
    private static bool IsForks(ReadOnlySpan<char> one, ReadOnlySpan<char> other, ReadOnlySpan<char> both) =>
        ListNumber.TryParse(one, out var resource) && ListNumber.TryParse(other, out var data) && ListNumber.TryParse(both, out var sum)
        && data <= sum && resource == sum - data;

    /// <summary>Finds the owner among the columns before the size: links are a number, devices have their major number there.</summary>
    private static ReadOnlySpan<char> FindOwner(ReadOnlySpan<char> first, ReadOnlySpan<char> second, int count)
    {
        if (count < 1) return default;
        if (!ListNumber.IsDigits(first)) return IsMajor(first) ? default : first;
        return count < 2 || IsMajor(second) ? default : second;
    }

    private static bool IsMajor(ReadOnlySpan<char> field) => field[^1] == ',';
}
