using Transfer.Replacing;

namespace Transfer.Engine.Files;

/// <summary>The owner of a dispatcher, to which the events of the files are reported.</summary>
internal interface IDispatcherOwner
{
    /// <summary>Makes the name of a temporary file, never the same twice.</summary>
    string NextTemporaryName();

    /// <summary>Names and records the asides at the target.</summary>
    AsideNames Asides { get; }

    /// <summary>
    /// Keeps files at the target that hold the only copy of a content: the job never deletes them, in this run or a later one.
    /// </summary>
    /// <param name="path">The path to which their content belongs.</param>
    /// <param name="kept">The paths of these files.</param>
    void KeepFiles(string path, IReadOnlyList<string> kept);

    /// <summary>Reports bytes moved; negative when an attempt has failed.</summary>
    void OnBytesMoved(long bytes);

    /// <summary>Reports that the file is in line again.</summary>
    void OnRequeued(JobFile file, TransferException? reason);

    /// <summary>Reports the end of the file, exactly once for each.</summary>
    void OnEnded(JobFile file, FileEnd end);
}
