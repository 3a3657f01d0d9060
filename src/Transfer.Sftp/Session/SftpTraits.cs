using System.Globalization;
using Transfer.Pooling;

namespace Transfer.Sftp.Session;

/// <summary>
/// The traits of a host, for all sessions of a client, and for other processes in the limits file. Findings of other processes are hints:
/// each process that sends files tests again whether times are kept. Thread-safe.
/// </summary>
internal sealed class SftpTraits
{
    private static readonly SftpTrait[] All = Enum.GetValues<SftpTrait>();

    private readonly Lock _gate = new();
    private readonly ServerMemory? _memory;
    private readonly Lazy<Task> _recalled;
    private readonly int _forced;
    private int _found;
    private int _settled;

    /// <param name="memory">The memory of the server; null: none.</param>
    /// <param name="compatibility">The options, which may force traits; null: none are.</param>
    public SftpTraits(ServerMemory? memory = null, SftpCompatibility? compatibility = null)
    {
        _memory = memory;
        if (compatibility is { AwaitsReplies: true }) _forced |= Bit(SftpTrait.Unordered);
        if (compatibility is { RenamesPlainly: true }) _forced |= Bit(SftpTrait.NoPosixRename);
        if (compatibility is { LeavesAttributes: true }) _forced |= Bit(SftpTrait.NoAttributes);
        _recalled = new Lazy<Task>(() => memory is null ? Task.CompletedTask : Task.Run(Recall));
    }

    /// <summary>Reads the traits that other processes have found, once.</summary>
    public Task RecallAsync() => _recalled.Value;

    /// <summary>Whether the server has a trait, as far as known, or counts as having it by the options.</summary>
    public bool Has(SftpTrait trait) => ((Volatile.Read(ref _found) | _forced) & Bit(trait)) != 0;

    /// <summary>Whether the options force a trait.</summary>
    public bool IsForced(SftpTrait trait) => (_forced & Bit(trait)) != 0;

    /// <summary>Whether files have the times that were set, as far as known.</summary>
    public bool KeepsTimes => !Has(SftpTrait.NoTimes) && !Has(SftpTrait.RenewsTimes) && !Has(SftpTrait.NoAttributes);

    /// <summary>The step of times, as far as known.</summary>
    public TimeSpan TimeStep => Has(SftpTrait.CoarseTimes) ? SftpTimes.CoarsestStep : TimeSpan.FromSeconds(1);

    /// <summary>Whether this process has found out about a trait, one way or the other.</summary>
    public bool IsSettled(SftpTrait trait) => ((Volatile.Read(ref _settled) | _forced) & Bit(trait)) != 0;

    /// <summary>Settles whether the server has a trait; true: that is new to this process.</summary>
    public bool Settle(SftpTrait trait, bool has)
    {
        if (IsForced(trait)) return false;
        lock (_gate)
        {
            var had = Has(trait);
            if (IsSettled(trait) && had == has) return false;
            Volatile.Write(ref _settled, _settled | Bit(trait));
            Volatile.Write(ref _found, has ? _found | Bit(trait) : _found & ~Bit(trait));
            // Nothing is kept of servers without any trait.
            if (has || had) _memory?.Remember(ToString());
            return true;
        }
    }

    /// <summary>Whether the limits file has a trait of the host.</summary>
    public bool Remembers(SftpTrait trait) =>
        _memory?.Recall()?.Split(',').Contains(Text(trait)) ?? false;

    private static string Text(SftpTrait trait) => string.Create(CultureInfo.InvariantCulture, $"s{(int)trait}=1");

    /// <summary>The traits in the words of the limits file.</summary>
    public override string ToString() => string.Join(',',
        All.Select(trait => string.Create(CultureInfo.InvariantCulture, $"s{(int)trait}={(IsFound(trait) ? 1 : 0)}")));

    private void Recall()
    {
        if (_memory!.Recall() is not { } text) return;
        var parts = text.Split(',');
        lock (_gate)
        {
            foreach (var trait in All)
            {
                if ((_settled & Bit(trait)) == 0 && parts.Contains(Text(trait)))
                    Volatile.Write(ref _found, _found | Bit(trait));
            }
            // A job that finds nothing to send for a week must not send everything then, since the trait was forgotten.
            if (IsFound(SftpTrait.NoTimes) || IsFound(SftpTrait.RenewsTimes) || IsFound(SftpTrait.NoAttributes))
                _memory.Remember(ToString());
        }
    }

    // What the options force is no finding: other processes may have other options.
    private bool IsFound(SftpTrait trait) => (Volatile.Read(ref _found) & Bit(trait)) != 0;

    private static int Bit(SftpTrait trait) => 1 << (int)trait;
}
