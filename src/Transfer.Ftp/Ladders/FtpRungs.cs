using System.Globalization;

namespace Transfer.Ftp.Ladders;

/// <summary>
/// How far down its rungs each ability of a host is: 0 is the fastest. Shared by the clients of a process. No ability ever goes up again.
/// Thread-safe.
/// </summary>
internal sealed class FtpRungs
{
    private const int Count = (int)FtpAbility.SiteChmod + 1;

    private readonly int[] _rungs = new int[Count];
    private readonly bool[] _mayPass = new bool[Count];
    private string _kept = string.Empty;

    public int this[FtpAbility ability] => Volatile.Read(ref _rungs[(int)ability]);

    /// <summary>Goes down to a rung. False: the host is there already, or below.</summary>
    /// <param name="ability">The ability.</param>
    /// <param name="rung">The rung.</param>
    /// <param name="mayPass">The network may have been the reason: it is not kept for other processes.</param>
    public bool Lower(FtpAbility ability, int rung, bool mayPass)
    {
        ref var current = ref _rungs[(int)ability];
        var seen = Volatile.Read(ref current);
        while (seen < rung)
        {
            var before = Interlocked.CompareExchange(ref current, rung, seen);
            if (before == seen)
            {
                _mayPass[(int)ability] = mayPass;
                return true;
            }
            seen = before;
        }
        return false;
    }

    /// <summary>A rung that was left for a reason that might have passed was rightly left: the one below works.</summary>
    public void Prove(FtpAbility ability) => _mayPass[(int)ability] = false;

    /// <summary>True once for everything that was found out: it is to be kept for other processes.</summary>
    public bool TryKeep(out string text)
    {
        text = ToString();
        return Interlocked.Exchange(ref _kept, text) != text;
    }

    /// <summary>Takes what <see cref="TryKeep"/> gave; of garbage it takes what makes sense.</summary>
    public void Recall(string text)
    {
        foreach (var part in text.Split(','))
        {
            var equals = part.IndexOf('=', StringComparison.Ordinal);
            if (equals < 2 || part[0] != 'a') continue;
            if (!int.TryParse(part.AsSpan(1, equals - 1), NumberStyles.None, CultureInfo.InvariantCulture, out var ability)) continue;
            if (ability is < 1 or >= Count) continue;
            if (int.TryParse(part.AsSpan(equals + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var rung))
                Lower((FtpAbility)ability, rung, mayPass: false);
        }
        Interlocked.Exchange(ref _kept, ToString());
    }

    /// <summary>The abilities that have left their first rung, and are to be kept.</summary>
    public override string ToString() => string.Join(',', Enum.GetValues<FtpAbility>()
        .Where(ability => this[ability] > 0 && !_mayPass[(int)ability])
        .Select(ability => string.Create(CultureInfo.InvariantCulture, $"a{(int)ability}={this[ability]}")));
}
