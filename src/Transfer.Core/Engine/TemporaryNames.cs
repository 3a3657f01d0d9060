using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace Transfer.Engine;

/// <summary>Names for unfinished files: <c>.transfer-</c>, the job's 64 random bits, a number, <c>.part</c>.</summary>
internal sealed partial class TemporaryNames
{
    private readonly string _job = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8));
    private long _last;

    /// <summary>True for a name that some job, of any process, gives to its unfinished files.</summary>
    public static bool IsTemporary(string name) => Pattern.IsMatch(name);

    /// <summary>A name that was never given before.</summary>
    public string Next() => $".transfer-{_job}-{Interlocked.Increment(ref _last)}.part";

    [GeneratedRegex(@"^\.transfer-[0-9a-f]{16}-[0-9]+\.part$", RegexOptions.CultureInvariant)]
    private static partial Regex Pattern { get; }
}
