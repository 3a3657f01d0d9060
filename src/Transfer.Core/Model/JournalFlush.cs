namespace Transfer;

/// <summary>
/// When the notes in a job's journal are flushed to the disk. A killed process loses no note under any policy: the choice is about power
/// cuts, and files whose notes a power cut takes from the journal's end are moved again. The job never waits for a flush; one is under way
/// at a time, and the end of the job, cancelled or not, makes the last one.
/// </summary>
public enum JournalFlush
{
    /// <summary>A second after a note, with all notes made meanwhile.</summary>
    EachSecond,

    /// <summary>At once; notes made during one flush go with the next.</summary>
    EachRecord,

    /// <summary>Whenever the system writes the notes.</summary>
    Never,
}
