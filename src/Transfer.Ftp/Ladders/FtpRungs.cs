using System.Globalization;

namespace Transfer.Ftp.Ladders;

/// <summary>
/// The rung of each ability of a host: 0 is the fastest. Shared by the clients of a process. Only that of times goes up again. Thread-safe.
/// </summary>
internal sealed class FtpRungs
{
    private const int Count = (int)FtpAbility.KeptTimes + 1;

    private readonly Lock _gate = new();
    private readonly int[] _rungs = new int[Count];
    private readonly bool[] _mayPass = new bool[Count];
    private readonly int[] _lostAt = new int[Count];
    private readonly bool[] _answered = new bool[Count];
    private readonly bool[] _raised = new bool[Count];
    private string _kept = string.Empty;
    private int _moment;

    public int this[FtpAbility ability] => Volatile.Read(ref _rungs[(int)ability]);

    /// <summary>Goes down to a rung; false: the host is on that rung already, or below.</summary>
    /// <param name="ability">The ability.</param>
    /// <param name="rung">The rung.</param>
    /// <param name="mayPass">Whether the network may have been the reason: the rung is not kept for other processes.</param>
    public bool Lower(FtpAbility ability, int rung, bool mayPass)
    {
        lock (_gate)
        {
            if (this[ability] >= rung) return false;
            Volatile.Write(ref _rungs[(int)ability], rung);
            _mayPass[(int)ability] = mayPass;
            return true;
        }
    }

    /// <summary>Goes back up to the first rung; false: the host is there already.</summary>
    public bool Raise(FtpAbility ability)
    {
        lock (_gate)
        {
            if (this[ability] == 0) return false;
            Volatile.Write(ref _rungs[(int)ability], 0);
            return _raised[(int)ability] = true;
        }
    }

    /// <summary>Whether a command of an ability was answered, by whatever reply.</summary>
    public bool HasAnswered(FtpAbility ability) => Volatile.Read(ref _answered[(int)ability]);

    /// <summary>Notes a reply to a command of an ability.</summary>
    public void NoteAnswer(FtpAbility ability) => Volatile.Write(ref _answered[(int)ability], true);

    /// <summary>The order of connections and of their ends.</summary>
    public int NextMoment() => Interlocked.Increment(ref _moment);

    /// <summary>
    /// Notes that a connection ended at a command of an ability. True: another had ended there before this one was opened. All connections
    /// of a host end together where the network fails, and all may be at the same command.
    /// </summary>
    /// <param name="ability">The ability.</param>
    /// <param name="openedAt">The <see cref="NextMoment"/> when the connection was opened.</param>
    public bool NoteLoss(FtpAbility ability, int openedAt)
    {
        ref var lostAt = ref _lostAt[(int)ability];
        if (Volatile.Read(ref lostAt) is > 0 and var first) return openedAt > first;
        Interlocked.CompareExchange(ref lostAt, NextMoment(), 0);
        return false;
    }

    /// <summary>Confirms a rung that was left for a reason that might have passed: the one below works.</summary>
    public void Prove(FtpAbility ability)
    {
        lock (_gate) _mayPass[(int)ability] = false;
    }

    /// <summary>Returns true once for each new state, which is to be kept for other processes.</summary>
    public bool TryKeep(out string text)
    {
        lock (_gate)
        {
            text = ToString();
            if (text == _kept) return false;
            _kept = text;
            return true;
        }
    }

    /// <summary>Takes a text of <see cref="TryKeep"/>; parts that are garbage are left out.</summary>
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
        lock (_gate) _kept = ToString();
    }

    /// <summary>The abilities that have left their first rung, or are back there, and are to be kept.</summary>
    public override string ToString()
    {
        lock (_gate)
        {
            return string.Join(',', Enum.GetValues<FtpAbility>()
                .Where(ability => (this[ability] > 0 || _raised[(int)ability]) && !_mayPass[(int)ability])
                .Select(ability => string.Create(CultureInfo.InvariantCulture, $"a{(int)ability}={this[ability]}")));
        }
    }
}
