using System.Buffers;
using System.Security.Cryptography;

namespace Transfer.Engine;

/// <summary>Names for unfinished files: <c>.transfer-</c>, the job's 64 random bits, a number, <c>.part</c>.</summary>
internal sealed class TemporaryNames
{
    private const string Front = ".transfer-";
    private const string Mark = "-00.part";
    private const string Back = ".part";
    private const int RunLength = 16;

    private static readonly SearchValues<char> HexDigits = SearchValues.Create("0123456789abcdef");

    private long _last;

    /// <summary>What these names have in common, and no other run's have.</summary>
    public string Run { get; } = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(RunLength / 2));

    /// <summary>True for a name that some job, of any process, gives to its unfinished files.</summary>
    // Every name of every folder is looked at, also where few files may be open: an expression would cost an assembly.
    public static bool IsTemporary(string name)
    {
        if (!name.StartsWith(Front, StringComparison.Ordinal) || !name.EndsWith(Back, StringComparison.Ordinal) || name.Length < Front.Length + RunLength + 2 + Back.Length) return false;
        var run = name.AsSpan(Front.Length, RunLength);
        var number = name.AsSpan(Front.Length + RunLength, name.Length - Front.Length - RunLength - Back.Length);
        return !run.ContainsAnyExcept(HexDigits) && number[0] == '-' && !number[1..].ContainsAnyExceptInRange('0', '9');
    }

    /// <summary>The <see cref="Run"/> of a name; null: it is no such name.</summary>
    public static string? RunOf(string name) => IsTemporary(name) ? name.Substring(Front.Length, RunLength) : null;

    /// <summary>The name of a run's mark: a temporary name, but none that an unfinished file ever has, for numbers have no zero in front.</summary>
    public static string MarkOf(string run) => $"{Front}{run}{Mark}";

    /// <summary>True for the <see cref="MarkOf"/> some run.</summary>
    public static bool IsMark(string name) => IsTemporary(name) && name.EndsWith(Mark, StringComparison.Ordinal);

    /// <summary>The <see cref="Run"/> that is known by 64 bits of its own.</summary>
    public static string RunOf(ulong run) => run.ToString("x16", null);

    /// <summary>A name that was never given before.</summary>
    public string Next() => Of(Run, Interlocked.Increment(ref _last));

    /// <summary>The name with a number of a run that is known by 64 bits of its own, the same for whoever asks.</summary>
    public static string Of(ulong run, long number) => Of(RunOf(run), number);

    private static string Of(string run, long number) => $"{Front}{run}-{number}.part";
}
