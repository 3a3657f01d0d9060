using Transfer.Local;

namespace Transfer.Tests.Faults.Disk;

/// <summary>One operation of the disk's matrix.</summary>
/// <param name="Name">Its name in the report.</param>
/// <param name="Prepare">Makes what is there before.</param>
/// <param name="RunAsync">Does it once; throws the first failure.</param>
/// <param name="Judge">Gets what is there and whether success was told, and with which messages else. Gives what is wrong, or null.</param>
internal sealed record DiskOperation(string Name, Action<DiskBench> Prepare, Func<DiskBench, Task> RunAsync,
    Func<DiskBench, bool, string, string?> Judge)
{
    /// <summary>
    /// Answers that the operation believes, and acts by: that an entry is gone which was listed, so that its twin may go; that something
    /// else is in the way of a folder, which is no reason to keep
    /// everything else. No disk says so of what it has.
    /// </summary>
    public Func<DiskCall, int, bool> Believes { get; init; } = static (_, _) => false;
}
