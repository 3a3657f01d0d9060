using System.Globalization;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>The names of a spool's files in the store (docs/internals/batch-format.md, "Spool"). A name is only a hint: the content of the
/// files counts.</summary>
internal static class SpoolNames
{
    public const string Head = "head";
    public const string End = "end";

    private const string ArchiveEnding = ".tfa";
    private const string ConfirmationFront = "confirmed-";
    private const int JobDigits = 2 * JobId.Length;
    private const int MostDigits = 18;

    public static string Archive(long number) => number.ToString("d8", CultureInfo.InvariantCulture) + ArchiveEnding;

    public static string Confirmation(int recipient, long serial) =>
        string.Create(CultureInfo.InvariantCulture, $"{ConfirmationFront}{recipient}-{serial}");

    /// <summary>Returns the job of a folder; null: none.</summary>
    public static JobId? JobOf(string name) =>
        name.Length == JobDigits && name.All(char.IsAsciiHexDigitLower) ? JobId.Read(Convert.FromHexString(name)) : null;

    /// <summary>The number of an archive; null: the name is another.</summary>
    public static long? ArchiveOf(string name) =>
        name.EndsWith(ArchiveEnding, StringComparison.Ordinal) && Number(name.AsSpan(0, name.Length - ArchiveEnding.Length)) is { } number
        && Archive(number) == name ? number : null;

    /// <summary>Returns the recipient and serial number of a confirmation; null: the name is another.</summary>
    public static (int Recipient, long Serial)? ConfirmationOf(string name)
    {
        if (!name.StartsWith(ConfirmationFront, StringComparison.Ordinal)) return null;
        var rest = name.AsSpan(ConfirmationFront.Length);
        var dash = rest.IndexOf('-');
        if (dash < 0 || Number(rest[..dash]) is not ({ } recipient and <= ushort.MaxValue) || Number(rest[(dash + 1)..]) is not { } serial)
            return null;
        return ((int)recipient, serial);
    }

    /// <summary>Whether a name is one that only senders and recipients give.</summary>
    public static bool IsOurs(string name) =>
        name is Head or End || ArchiveOf(name) is not null || ConfirmationOf(name) is not null || TemporaryNames.IsTemporary(name);

    private static long? Number(ReadOnlySpan<char> digits) =>
        digits.Length is > 0 and <= MostDigits
        && long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;
}
