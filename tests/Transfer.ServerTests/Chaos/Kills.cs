namespace Transfer.ServerTests.Chaos;

/// <summary>
/// Who is killed next, and how many were. Only what was at work for a job counts: whoever comes too late has killed nothing.
/// </summary>
internal sealed class Kills(Random random, int wanted)
{
    // Far more than too-late ones can be: each job is there for at least one.
    private readonly int _most = 3 * wanted;
    private readonly Victim[] _deck = Enum.GetValues<Victim>();
    private readonly int[] _hits = new int[Enum.GetValues<Victim>().Length];

    /// <summary>So many were tried.</summary>
    public int Tried { get; private set; }

    /// <summary>So many hit.</summary>
    public int Hits => _hits.Sum();

    public bool Enough => Hits >= wanted;

    /// <summary>By chance, and each once before any comes again: five kills have some of all.</summary>
    public Victim Next()
    {
        Assert.That(Tried, Is.LessThan(_most), $"too many came too late: {this}");
        if (Tried % _deck.Length == 0) random.Shuffle(_deck);
        return _deck[Tried++ % _deck.Length];
    }

    public void Hit(Victim victim) => _hits[(int)victim]++;

    public override string ToString() =>
        $"killed at work: {_hits[(int)Victim.Command]} commands, {_hits[(int)Victim.Server]} servers, "
        + $"{_hits[(int)Victim.Session]} sessions; {Tried - Hits} too late";
}
