namespace Transfer.Tests.Faults.Disk;

/// <summary>One operation of the disk's matrix.</summary>
/// <param name="Name">Its name in the report.</param>
/// <param name="Prepare">Makes what is there before.</param>
/// <param name="RunAsync">Does it once; throws the first failure.</param>
/// <param name="Judge">Gets what is there and whether success was told, and with which messages else. Gives what is wrong, or null.</param>
internal sealed record DiskOperation(string Name, Action<DiskBench> Prepare, Func<DiskBench, Task> RunAsync, Func<DiskBench, bool, string, string?> Judge)
{
    /// <summary>An entry that the disk denies to have is absent for this operation, which may delete its twin: no disk denies what it has.</summary>
    public bool BelievesAbsence { get; init; }
}
