using System.Security.Cryptography;

namespace Transfer.Engine;

/// <summary>Names for unfinished files: <c>.transfer-</c>, the job's 64 random bits, a number, <c>.part</c>.</summary>
internal sealed class TemporaryNames
{
    private readonly string _job = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8));
    private long _last;

    /// <summary>A name that was never given before.</summary>
    public string Next() => $".transfer-{_job}-{Interlocked.Increment(ref _last)}.part";
}
