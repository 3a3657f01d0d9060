using System.Collections.Concurrent;
using System.Text.RegularExpressions;

namespace Transfer.Replacing;

/// <summary>
/// Names for files moved aside while their own names are given to new files: the file's name, <c>.transfer-</c>, 64 random bits of the run,
/// a number, <c>.old</c>. A later run puts files back that a killed one left under such names.
/// </summary>
internal sealed partial class AsideNames : IAsideLog
{
    // The longest name that the common file systems take, in bytes.
    private const int LongestName = 255;

    private readonly TemporaryNames _names;
    private readonly Action<string, string, bool>? _record;
    private readonly Action<string>? _leaves;
    private readonly ConcurrentDictionary<string, string> _asides = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, string> _seconds = new(StringComparer.Ordinal);
    private long _last;

    /// <summary>Names without a record: leftovers of a kill are found only by their names.</summary>
    public static IAsideLog Unrecorded { get; } = new AsideNames(new TemporaryNames());

    /// <param name="names">The run's temporary names.</param>
    /// <param name="record">
    /// Takes each file about to be moved aside (true), and each no longer aside (false); null: nothing is recorded.
    /// </param>
    /// <param name="leaves">Takes each further temporary name; null: nothing is recorded.</param>
    public AsideNames(TemporaryNames names, Action<string, string, bool>? record = null, Action<string>? leaves = null)
    {
        _names = names;
        _record = record;
        _leaves = leaves;
    }

    /// <summary>Returns the file's name in the name of an aside; null: not an aside.</summary>
    public static string? OriginalOf(string name) => Pattern.Match(name) is { Success: true } match ? match.Groups[1].Value : null;

    /// <summary>Returns the run in the name of an aside; null: not an aside.</summary>
    public static string? RunOf(string name) => Pattern.Match(name) is { Success: true } match ? match.Groups[2].Value : null;

    public RenamingTrace Trace(string from, string to) =>
        new(_asides.GetValueOrDefault(to), _asides.GetValueOrDefault(from), _seconds.GetValueOrDefault(to));

    /// <summary>The files that this run is known to have aside.</summary>
    public IReadOnlyList<(string Path, string Aside)> Open => [.. _asides.Select(aside => (aside.Key, aside.Value))];

    public string? AsideOf(string path)
    {
        var name = $"{RemotePath.GetName(path)}.transfer-{_names.Run}-{Interlocked.Increment(ref _last)}.old";
        return NameEncoding.LosslessUtf8.GetByteCount(name) > LongestName ? null : Beside(path, name);
    }

    public string TemporaryBeside(string path)
    {
        var temporary = Beside(path, _names.Next());
        if (this != Unrecorded) _seconds[path] = temporary;
        _leaves?.Invoke(temporary);
        return temporary;
    }

    public void Began(string path, string aside)
    {
        if (this != Unrecorded) _asides[path] = aside;
        _record?.Invoke(path, aside, true);
    }

    public void Ended(string path, string aside)
    {
        _asides.TryRemove(new(path, aside));
        _record?.Invoke(path, aside, false);
    }

    private static string Beside(string path, string name) => RemotePath.Combine(RemotePath.GetParent(path) ?? "/", name);

    [GeneratedRegex(@"^(.+)\.transfer-([0-9a-f]{16})-[0-9]+\.old$", RegexOptions.CultureInvariant | RegexOptions.Singleline)]
    private static partial Regex Pattern { get; }
}
