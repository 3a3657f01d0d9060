using Transfer.Replacing;

namespace Transfer.Tests.Replacing;

/// <summary>A server as a dictionary, with what known servers do and what odd ones might. One seed, one behaviour.</summary>
internal sealed class ModelServer
{
    private readonly SortedDictionary<string, string> _files = new(StringComparer.Ordinal);
    private readonly Queue<(int Left, string From, string To)> _late = [];
    private readonly Random _random;
    private readonly HashSet<string> _oneFile = new(StringComparer.Ordinal);
    private int _waited;

    public ModelServer(Random random, bool withFaults = true)
    {
        _random = random;
        Renames = Pick(RenameStyle.Replaces, RenameStyle.Replaces, RenameStyle.RefusesExisting, RenameStyle.RefusesExisting,
            RenameStyle.RefusesAll, RenameStyle.NoCommand, RenameStyle.NeverWithReplies);
        IsCaseless = random.Next(4) == 0;
        LosesSameName = random.Next(8) == 0;
        DeletesRefused = random.Next(8) == 0;
        HasFaults = withFaults;
        // Most runs meet few faults, some meet many.
        Rate = random.Next(3) == 0 ? 0.3 : 0.08;
    }

    public enum RenameStyle
    {
        Replaces,
        RefusesExisting,
        RefusesAll,
        NoCommand,
        NeverWithReplies,
    }

    public RenameStyle Renames { get; set; }

    public bool IsCaseless { get; }

    /// <summary>A rename of a name onto itself deletes the file.</summary>
    public bool LosesSameName { get; }

    public bool DeletesRefused { get; set; }

    public bool HasFaults { get; set; }

    public double Rate { get; }

    /// <summary>Looks and renames of which nobody knows what became of them.</summary>
    public int Unanswered { get; private set; }

    /// <summary>Names that cannot be renamed or deleted now: others have the files open.</summary>
    public HashSet<string> Locked { get; } = new(StringComparer.Ordinal);

    public IEnumerable<string> Names => _files.Keys;

    public string? this[string path]
    {
        get => Find(path) is { } name ? _files[name] : null;
        set
        {
            if (value is null) _files.Remove(Find(path) ?? path);
            else _files[Find(path) ?? path] = value;
        }
    }

    public IEnumerable<string> Contents => _files.Values;

    public T Pick<T>(params T[] of) => of[_random.Next(of.Length)];

    public bool Chance(double rate) => HasFaults && _random.NextDouble() < rate;

    /// <summary>Makes a name another one of a file's (a hard link).</summary>
    public void Link(string path, string other)
    {
        this[other] = this[path];
        _oneFile.UnionWith([path, Find(other)!]);
    }

    /// <summary>
    /// Runs renames in order. Null, from some reply on: the session is lost, and what was asked for was done, was not, or will be, in this
    /// order.
    /// </summary>
    public List<RenameReply?> Rename(IReadOnlyList<ReplacementStep.Rename> renames)
    {
        Pass();
        var replies = new List<RenameReply?>();
        var lost = -1;
        foreach (var rename in renames)
        {
            if (lost < 0 && Chance(Rate))
            {
                lost = _random.Next(4);
                Unanswered++;
            }
            else if (lost < 0)
            {
                replies.Add(
                    Chance(Rate / 2) ? Refusal(Pick(RenameAnswer.Refused, RenameAnswer.SourceRefused, RenameAnswer.Denied))
                        : Do(rename.From, rename.To));
            }
            switch (lost)
            {
                case 0:
                    replies.Add(null);
                    break;
                case 1:
                    Do(rename.From, rename.To);
                    replies.Add(null);
                    // With the connection what follows may be gone.
                    if (_random.Next(2) == 0) lost = 0;
                    break;
                case 2:
                    _late.Enqueue((_random.Next(1, 6), rename.From, rename.To));
                    replies.Add(null);
                    break;
                case 3:
                    replies.Add(Refusal(RenameAnswer.Later));
                    lost = -1;
                    break;
            }
        }
        return replies;
    }

    /// <summary>Looks at a name. Null: the session is lost.</summary>
    public NameSight? Look(string path)
    {
        Pass();
        if (Chance(Rate / 2))
        {
            Unanswered++;
            return null;
        }
        if (Chance(Rate / 2))
        {
            Unanswered++;
            return default(NameSight);
        }
        return Sight(path);
    }

    /// <summary>What is really there.</summary>
    public NameSight Sight(string path) => this[path] switch
    {
        null => NameSight.Absent,
        "folder" => new(NameState.Directory),
        var content => new(NameState.File, content.Length, TimeOf(content)),
    };

    /// <summary>Deletes. The error, or null; the session may be lost.</summary>
    public (bool IsLost, TransferException? Error) Delete(string path)
    {
        Pass();
        if (Chance(Rate / 2)) return (true, null);
        if (DeletesRefused || Locked.Contains(path)) return (false, new TransferException(TransferError.Denied, "no"));
        if (this[path] is null) return (false, new TransferException(TransferError.NotFound, "none"));
        this[path] = null;
        return (false, null);
    }

    /// <summary>A command that a lost session has sent is carried out some time.</summary>
    public void Pass()
    {
        if (!_late.TryPeek(out var late)) return;
        if (_waited++ < late.Left) return;
        _waited = 0;
        _late.Dequeue();
        Do(late.From, late.To);
    }

    public void PassAll()
    {
        while (_late.Count > 0) Pass();
    }

    /// <summary>Contents are as long as their texts; every other is of a time of its own.</summary>
    public static DateTimeOffset TimeOf(string content) => DateTimeOffset.UnixEpoch.AddDays(content.Sum(c => c));

    private RenameReply Do(string from, string to)
    {
        if (Renames == RenameStyle.NoCommand) return Refusal(RenameAnswer.Unsupported);
        if (Find(from) is not { } source) return Refusal(RenameAnswer.SourceRefused);
        if (Renames == RenameStyle.RefusesAll) return Refusal(RenameAnswer.Refused);
        if (Renames == RenameStyle.NeverWithReplies) return Refusal(Pick(RenameAnswer.Refused, RenameAnswer.Denied));
        if (Locked.Contains(source) || Find(to) is { } there && Locked.Contains(there)) return Refusal(RenameAnswer.Refused);
        if (Find(to) is { } target)
        {
            if (Renames == RenameStyle.RefusesExisting || this[target] == "folder" && this[source] != "folder")
                return Refusal(RenameAnswer.Refused);
            if (target == source && LosesSameName)
            {
                _files.Remove(source);
                return Refusal(RenameAnswer.SourceRefused);
            }
            // rename(2): nothing happens, and that is no error.
            if (target != source && _oneFile.Contains(source) && _oneFile.Contains(target)) return new(RenameAnswer.Done);
            _oneFile.Remove(target);
            if (_oneFile.Remove(source)) _oneFile.Add(to);
            var moved = _files[source];
            _files.Remove(source);
            _files.Remove(target);
            _files[to] = moved;
            return new(RenameAnswer.Done);
        }
        var content = _files[source];
        _files.Remove(source);
        _files[to] = content;
        if (_oneFile.Remove(source)) _oneFile.Add(to);
        return new(RenameAnswer.Done);
    }

    private string? Find(string path) => _files.ContainsKey(path) ? path
        : IsCaseless ? _files.Keys.FirstOrDefault(name => string.Equals(name, path, StringComparison.OrdinalIgnoreCase)) : null;

    private static RenameReply Refusal(RenameAnswer answer) =>
        new(answer, new TransferException(TransferError.Denied, $"{answer}") { IsTransient = answer == RenameAnswer.Later });
}
