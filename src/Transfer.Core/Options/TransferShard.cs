using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Transfer.Names;

namespace Transfer;

/// <summary>
/// One of several parts of a folder's job, which run anywhere, in any order, at the same time, and again after a failure: together the
/// parts and then <see cref="Final"/> do what one job would. Each file is in exactly one part.
/// </summary>
/// <remarks>
/// <para>
/// The index of a path is the first eight bytes of the SHA-256 of the folded path, as a number with the highest byte first, modulo
/// <see cref="Count"/>. The path is relative to the job's folder, with forward slashes; folded: NFC, each character in upper and then in
/// lower case by the invariant culture, NFC, in UTF-8, with U+FFFD for bytes that are no UTF-8. Names that are one name at a target
/// without regard to case or to Unicode's form are in the same part. The rule is the same on every system and in every version.
/// </para>
/// <para>
/// A part transfers its files and creates the folders above them. A part deletes nothing, detects no moves and creates no empty folders,
/// which concern the whole: that is the work of <see cref="Final"/>, after all parts have succeeded.
/// </para>
/// </remarks>
public sealed record TransferShard
{
    private const string FinalText = "final";

    /// <summary>Creates a part.</summary>
    /// <param name="index">The number of the part, from 0.</param>
    /// <param name="count">The number of parts, at least 1.</param>
    /// <param name="unit">The entries that stay together. All parts of a job have the same.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such part.</exception>
    public TransferShard(int index, int count, ShardUnit unit = ShardUnit.File)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, count);
        if (!Enum.IsDefined(unit)) throw new ArgumentOutOfRangeException(nameof(unit), unit, "There is no such unit.");
        (Index, Count, Unit) = (index, count, unit);
    }

    private TransferShard() => IsFinal = true;

    /// <summary>
    /// The last phase, after all parts have succeeded: creates the empty folders, and a synchronization with
    /// <see cref="SyncOptions.Delete"/> deletes, with its limits on the whole. No file is transferred: in a synchronization a file that
    /// differs, or is missing at the target, fails with <see cref="TransferError.Partial"/>, and then nothing is deleted.
    /// </summary>
    public static TransferShard Final { get; } = new();

    /// <summary>The number of the part, from 0; 0 for <see cref="Final"/>.</summary>
    public int Index { get; }

    /// <summary>The number of parts; 0 for <see cref="Final"/>.</summary>
    public int Count { get; }

    /// <summary>The entries that stay together.</summary>
    public ShardUnit Unit { get; }

    /// <summary>Whether this is the last phase instead of a part.</summary>
    public bool IsFinal { get; }

    /// <summary>Whether a file, or another entry without entries of its own, is in this part; never in <see cref="Final"/>.</summary>
    /// <param name="path">The path relative to the job's folder, with forward slashes.</param>
    public bool Takes(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        if (IsFinal) return false;
        if (Count == 1) return true;
        var end = Unit == ShardUnit.Directory ? path.IndexOf('/', StringComparison.Ordinal) : -1;
        return ShardHash.Of(end < 0 ? path : path[..end]) % (ulong)Count == (ulong)Index;
    }

    /// <summary>Whether files of this part may be below a folder: by <see cref="ShardUnit.Directory"/> others are not read.</summary>
    /// <param name="path">The folder's path relative to the job's folder, with forward slashes.</param>
    public bool Enters(string path) => IsFinal || Unit == ShardUnit.File || Takes(path);

    /// <summary>
    /// Returns this part's share of a limit over all parts that run at the same time, such as sessions or bytes a second: the N-th part, of
    /// which the first parts get one more where there is a remainder, and at least 1. All of the limit for <see cref="Final"/>, which runs
    /// alone.
    /// </summary>
    /// <param name="total">The limit, at least 1.</param>
    public long ShareOf(long total) => IsFinal ? total : ShareOf(total, Index, Count);

    internal static long ShareOf(long total, int index, int count)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(total, 1);
        return Math.Max(1, total / count + (index < total % count ? 1 : 0));
    }

    /// <summary>Reads <c>I/N</c>, the part with the index I of N, or <c>final</c>.</summary>
    /// <param name="text">The text, as <see cref="ToString"/> returns.</param>
    /// <param name="unit">The entries that stay together.</param>
    /// <param name="shard">The part; null: the text names none.</param>
    public static bool TryParse(string text, ShardUnit unit, [NotNullWhen(true)] out TransferShard? shard)
    {
        ArgumentNullException.ThrowIfNull(text);
        shard = text == FinalText ? Final : null;
        var slash = text.IndexOf('/', StringComparison.Ordinal);
        if (slash > 0 && TryParse(text.AsSpan(0, slash), out var index) && TryParse(text.AsSpan(slash + 1), out var count) && index < count)
            shard = new(index, count, unit);
        return shard is not null;
    }

    /// <summary>Returns <c>I/N</c>, or <c>final</c>.</summary>
    public override string ToString() => IsFinal ? FinalText : string.Create(CultureInfo.InvariantCulture, $"{Index}/{Count}");

    private static bool TryParse(ReadOnlySpan<char> text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
