namespace Transfer;

/// <summary>
/// When what a job's journal was told is flushed to the disk. A process that is killed loses nothing of it, whatever is chosen: this is about power cuts, and what one takes from the
/// journal's end is moved again. The job never waits for a flush; one is under way at a time, and when the job ends, cancelled or not, it makes the last one.
/// </summary>
public enum JournalFlush
{
    /// <summary>A second after something was told, with all that was told meanwhile.</summary>
    EachSecond,

    /// <summary>At once, and what is told during one flush with the next.</summary>
    EachRecord,

    /// <summary>Whenever the system gets to it.</summary>
    Never,
}
