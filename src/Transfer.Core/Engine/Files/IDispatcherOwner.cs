using Transfer.Replacing;

namespace Transfer.Engine.Files;

/// <summary>Whom a dispatcher tells what happens to the files it was given.</summary>
internal interface IDispatcherOwner
{
    /// <summary>Makes the name of a temporary file, never the same twice.</summary>
    string NextTemporaryName();

    /// <summary>Names and remembers what is moved aside at the target.</summary>
    AsideNames Asides { get; }

    /// <summary>Files at the target hold what is nowhere else: nothing of the job deletes them, in this run or a later one.</summary>
    /// <param name="path">The path that their content belongs to.</param>
    /// <param name="kept">Where it is.</param>
    void Keeps(string path, IReadOnlyList<string> kept);

    /// <summary>Bytes moved; negative where an attempt came to nothing.</summary>
    void Moved(long bytes);

    /// <summary>The file is in line again.</summary>
    void Requeued(JobFile file, TransferException? reason);

    /// <summary>The file's end: exactly once for each.</summary>
    void Ended(JobFile file, FileEnd end);
}
