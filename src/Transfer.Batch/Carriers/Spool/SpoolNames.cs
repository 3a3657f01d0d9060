using System.Globalization;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>What files of a spool are called in the store (docs/internals/batch-format.md, "Spool"). A name is a hint and nothing more: what counts stands in the files.</summary>
internal static class SpoolNames
{
    public const string Head = "head";
    public const string End = "end";

    private const string ArchiveEnding = ".tfa";
    private const string ConfirmationFront = "confirmed-";
    private const int JobDigits = 2 * JobId.Length;
    private const int MostDigits = 18;

    public static string Archive(long number) => number.ToString("d8", CultureInfo.InvariantCulture) + ArchiveEnding;

    public static string Confirmation(int recipient, long serial) => string.Create(CultureInfo.InvariantCulture, $"{ConfirmationFront}{recipient}-{serial}");

    /// <summary>The job that a folder is of; null: it is of none.</summary>
    public static JobId? JobOf(string name) =>
        name.Length == JobDigits && name.All(char.IsAsciiHexDigitLower) ? JobId.Read(Convert.FromHexString(name)) : null;

    /// <summary>The number of an archive; null: the name is another.</summary>
    public static long? ArchiveOf(string name) =>
        name.EndsWith(ArchiveEnding, StringComparison.Ordinal) && Number(name.AsSpan(0, name.Length - ArchiveEnding.Length)) is { } number && Archive(number) == name ? number : null;

    /// <summary>Whose confirmation it is, and which; null: the name is another.</summary>
    public static (int Recipient, long Serial)? ConfirmationOf(string name)
    {
        if (!name.StartsWith(ConfirmationFront, StringComparison.Ordinal)) return null;
        var rest = name.AsSpan(ConfirmationFront.Length);
        var dash = rest.IndexOf('-');
        if (dash < 0 || Number(rest[..dash]) is not ({ } recipient and <= ushort.MaxValue) || Number(rest[(dash + 1)..]) is not { } serial) return null;
        return ((int)recipient, serial);
    }

    /// <summary>True: nobody but senders and recipients gives files such a name.</summary>
    public static bool IsOurs(string name) =>
        name is Head or End || ArchiveOf(name) is not null || ConfirmationOf(name) is not null || TemporaryNames.IsTemporary(name);

    private static long? Number(ReadOnlySpan<char> digits) =>
        digits.Length is > 0 and <= MostDigits && long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;
}
