using System.Buffers;
using System.Security.Cryptography;

namespace Transfer.Companions;

/// <summary>Names for unfinished files: <c>.transfer-</c>, the job's 64 random bits, a number, <c>.part</c>.</summary>
public sealed class TemporaryNames
{
    private const string Front = ".transfer-";
    private const string Mark = "-00.part";
    private const string Back = ".part";
    private const int RunLength = 16;

    private static readonly SearchValues<char> HexDigits = SearchValues.Create("0123456789abcdef");

    private long _last;

    /// <summary>The part that only the names of this run have in common: 16 hexadecimal digits.</summary>
    public string Run { get; } = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(RunLength / 2));

    /// <summary>Whether a name is that of an unfinished file of some job, of any process.</summary>
    // Every name of every folder is checked, even where few files may be open: a regular expression would load an assembly.
    public static bool IsTemporary(string name)
    {
        if (!name.StartsWith(Front, StringComparison.Ordinal) || !name.EndsWith(Back, StringComparison.Ordinal)
            || name.Length < Front.Length + RunLength + 2 + Back.Length)
        {
            return false;
        }

        var run = name.AsSpan(Front.Length, RunLength);
        var number = name.AsSpan(Front.Length + RunLength, name.Length - Front.Length - RunLength - Back.Length);
        return !run.ContainsAnyExcept(HexDigits) && number[0] == '-' && !number[1..].ContainsAnyExceptInRange('0', '9');
    }

    /// <summary>The <see cref="Run"/> of a temporary name; null: another name.</summary>
    public static string? RunOf(string name) => IsTemporary(name) ? name.Substring(Front.Length, RunLength) : null;

    /// <summary>
    /// The name of the mark of a run: a temporary name, but not of an unfinished file, whose numbers have no leading zero.
    /// </summary>
    public static string MarkOf(string run) => $"{Front}{run}{Mark}";

    /// <summary>Whether a name is the <see cref="MarkOf">mark</see> of some run.</summary>
    public static bool IsMark(string name) => IsTemporary(name) && name.EndsWith(Mark, StringComparison.Ordinal);

    /// <summary>The <see cref="Run"/> of 64 given bits.</summary>
    public static string RunOf(ulong run) => run.ToString("x16", null);

    /// <summary>Returns a name that was never returned before. Thread-safe.</summary>
    public string Next() => Of(Run, Interlocked.Increment(ref _last));

    /// <summary>The name with a number, of the run of 64 given bits: the same in each process.</summary>
    public static string Of(ulong run, long number) => Of(RunOf(run), number);

    private static string Of(string run, long number) => $"{Front}{run}-{number}.part";
}
