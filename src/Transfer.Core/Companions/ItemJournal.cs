using Microsoft.Extensions.Logging;
using Transfer.Journal;

namespace Transfer.Companions;

/// <summary>
/// The journal of a job: its finished items, in a local file, so that a later run continues the job (<c>docs/jobs.md</c>). The file and its
/// content are the same whether a client or a companion does the job, and either continues an interrupted run of the other. A journal that
/// can't be written any more is logged, and ends no job. Thread-safe.
/// </summary>
public sealed class ItemJournal : IDisposable
{
    private ItemJournal(JobJournal journal, TemporaryNames names) => (Journal, Names) = (journal, names);

    /// <summary>Whether this run continues an earlier one.</summary>
    public bool Continues => Journal.Continues;

    /// <summary>Whether there were earlier runs, continued or not, that did not end well. None of them runs any more, since the file is
    /// locked.</summary>
    public bool KnowsEarlierRuns => Journal.KnowsEarlierRuns;

    /// <summary>The paths of unfinished files that earlier runs may have left and that this one does not continue. Those of directories
    /// end with a slash.</summary>
    public IReadOnlyList<string> Left => Journal.Leftovers;

    /// <summary>The names of this run's unfinished files, by which the journal knows the run.</summary>
    public TemporaryNames Names { get; }

    internal JobJournal Journal { get; }

    /// <summary>Opens the journal of a job, or begins one.</summary>
    /// <param name="path">The file.</param>
    /// <param name="job">The <see cref="JobOf">name of the job</see>: a journal of another one is refused.</param>
    /// <param name="resume">Whether to continue the job of the journal. False: all is forgotten but the unfinished files of earlier
    /// runs.</param>
    /// <param name="logger">The log.</param>
    /// <param name="flush">When the journal is brought to the disk.</param>
    /// <param name="time">The clock; null: the system's.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: another run has the journal open, or the journal belongs to
    /// another job. Otherwise the journal can't be opened.</exception>
    public static ItemJournal Open(
        string path, string job, bool resume, ILogger logger, JournalFlush flush = JournalFlush.EachSecond, TimeProvider? time = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        ArgumentException.ThrowIfNullOrEmpty(job);
        ArgumentNullException.ThrowIfNull(logger);
        var names = new TemporaryNames();
        return new ItemJournal(JobJournal.Open(path, job, names, resume, namesAll: false, logger, flush, time), names);
    }

    /// <summary>
    /// Opens the journal of a job as <see cref="Open"/> does, unless the disk is full: that ends no job that continues none.
    /// </summary>
    /// <returns>The journal; null: the disk is full, which is logged, and the job keeps no journal.</returns>
    /// <inheritdoc cref="Open"/>
    public static ItemJournal? OpenIfRoom(
        string path, string job, bool resume, ILogger logger, JournalFlush flush = JournalFlush.EachSecond, TimeProvider? time = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        ArgumentException.ThrowIfNullOrEmpty(job);
        ArgumentNullException.ThrowIfNull(logger);
        var names = new TemporaryNames();
        return JobJournal.OpenIfRoom(path, job, names, resume, namesAll: false, logger, flush, time) is { } journal
            ? new ItemJournal(journal, names) : null;
    }

    /// <summary>The name of a job in its journal: the same for each run.</summary>
    /// <param name="operation">The operation, such as <c>upload_directory</c>.</param>
    /// <param name="source">The source: a full local path, or a URL (<see cref="ClientServices.UrlOf"/>).</param>
    /// <param name="target">The target, in the same form.</param>
    public static string JobOf(string operation, string source, string target) => JobJournal.JobOf(operation, source, target);

    /// <summary>The stamp that the source of a file had when an earlier run put the file at its target; null: none did.</summary>
    /// <param name="path">The file's path relative to the target.</param>
    public SourceStamp? FinishedAs(string path) => Journal.FinishedAs(path);

    /// <summary>Notes that a file is about to be put at the target. An unknown stamp is not noted.</summary>
    /// <param name="path">The file's path relative to the target.</param>
    /// <param name="stamp">The stamp of the source.</param>
    public void Taken(string path, SourceStamp stamp) => Journal.NoteStart(NameKey.Of(path), stamp);

    /// <summary>Notes files that are at their target. A crash meanwhile leaves the first ones noted, or none.</summary>
    /// <param name="files">Their paths relative to the target, and the stamps of their sources.</param>
    public void Done(IEnumerable<(string Path, SourceStamp Stamp)> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        Journal.NoteFinished(files.Select(file => (NameKey.Of(file.Path), file.Stamp)));
    }

    /// <summary>Notes that an unfinished file is about to be made: if this run does not delete the file, a later run does.</summary>
    /// <param name="temporary">The path of the file; that of a directory ends with a slash.</param>
    public void Leaves(string temporary) => Journal.NoteLeftover(temporary);

    /// <summary>Notes that an unfinished file holds the only copy of some content: no run deletes the file.</summary>
    /// <param name="temporary">The path of the file, as noted before.</param>
    /// <param name="path">The path that the content belongs to.</param>
    public void Stays(string temporary, string path) => Journal.NoteKept(temporary, path);

    /// <summary>Notes that unfinished files of earlier runs are gone. This note comes first.</summary>
    /// <param name="gone">Those of <see cref="Left"/>.</param>
    public void Forget(IEnumerable<string> gone) => Journal.Forget(gone);

    /// <summary>The paths of files that earlier runs began and that were not continued.</summary>
    public IReadOnlyList<string> Abandoned() => Journal.Abandoned();

    /// <summary>Deletes the journal: the job is done.</summary>
    public void Delete() => Journal.Delete();

    /// <summary>Closes the journal, or deletes an empty one. May wait for the disk.</summary>
    public Task CloseAsync() => Journal.CloseAsync();

    /// <summary>Brings the notes to the disk, and closes the journal.</summary>
    public void Dispose() => Journal.Dispose();

    internal LentJournal Lend() => new(Journal, Names);
}
