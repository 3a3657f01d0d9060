namespace Transfer.Batch.Carriers.Exec;

/// <summary>Takes the files of a walk that the host's tar can fetch.</summary>
/// <param name="line">Receives the files.</param>
/// <param name="fits">Whether a file may go in a batch.</param>
/// <param name="progress">Counts the files.</param>
internal sealed class TarTaker(PortionLine line, Func<ListedFile, bool> fits, ProgressReporter progress) : IFileTaker
{
    public bool TakesMost => true;

    public async ValueTask<bool> TakeAsync(string path, long? length, DateTimeOffset? modified, CancellationToken cancellationToken)
    {
        if (length is not { } known) return false;
        var file = new ListedFile(path, known, modified);
        if (!fits(file)) return false;
        progress.Plan(known);
        if (await line.AddAsync(file, cancellationToken).ConfigureAwait(false)) return true;
        progress.Unplan(known);
        return false;
    }

    public void Complete() => line.Complete();
}
