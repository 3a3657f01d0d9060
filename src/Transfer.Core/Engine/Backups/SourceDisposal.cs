using System.Threading.Channels;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Scheduling;
using Transfer.Names;

namespace Transfer.Engine.Backups;

/// <summary>
/// Removes or moves the sources of files that have arrived, several at a time, beside the transfers. A source that can't be removed, or has
/// changed since it was read, stays, and is reported as a failure of its item.
/// </summary>
internal sealed class SourceDisposal : ISourceDisposal
{
    private const int MostTogether = 256;

    private readonly EngineJob _job;
    private readonly ISourceSide _side;
    private readonly FoldersApart _apart;
    private readonly Lock _gate = new();
    private readonly Channel<(ItemPath Item, SourceFile Source)> _waiting =
        Channel.CreateUnbounded<(ItemPath, SourceFile)>(new() { SingleReader = true });

    private Task? _work;

    private SourceDisposal(EngineJob job, ISourceSide side, FoldersApart apart) => (_job, _side, _apart) = (job, side, apart);

    /// <summary>Begins the disposal of a job's local sources, where the options ask for that.</summary>
    /// <param name="job">The job.</param>
    /// <param name="options">The options.</param>
    /// <param name="apart">Proves that copies are in other folders.</param>
    public static void OfLocal(EngineJob job, TransferOptions options, FoldersApart apart)
    {
        if (options.DisposesSource) job.Sources = new SourceDisposal(job, new LocalSources(options.MoveSourceTo, apart), apart);
    }

    /// <summary>
    /// Begins the disposal of sources at a server, where the options ask for that. Files written in place are compared with their sources.
    /// </summary>
    /// <param name="job">The job.</param>
    /// <param name="options">The options.</param>
    /// <param name="owner">The owner of the dispatcher.</param>
    /// <param name="dispatcher">The dispatcher of the source's sessions.</param>
    /// <param name="engine">The engine of the source.</param>
    /// <param name="apart">Proves that copies are in other folders.</param>
    public static void OfRemote(
        EngineJob job, TransferOptions options, IDispatcherOwner owner, Dispatcher dispatcher, ClientEngine engine, FoldersApart apart)
    {
        if (options.Publish == PublishMode.Direct) job.FindSelf = apart.FindSelfAsync;
        if (!options.DisposesSource) return;
        job.Sources = new SourceDisposal(job,
            new RemoteSources(dispatcher, root => BackupFolder.Remote(options.MoveSourceTo, root, owner, dispatcher),
                () => engine.Pool.LastFeatures?.TimePrecision, apart, job.Time), apart);
    }

    public void Add(ItemPath item, SourceFile source, bool isUnseen)
    {
        if (isUnseen)
        {
            Leave(item, source, new TransferException(TransferError.Integrity,
                "the server said that it had stored the file, and nothing shows it there. A server that hides what it takes needs "
                + "--verify reply (VerificationMode.Reply)."));
            return;
        }
        _waiting.Writer.TryWrite((item, source));
        lock (_gate) _work ??= Task.Run(WorkAsync);
    }

    public Task<TransferException?> ProveApartAsync(SourceFile source, CancellationToken ct) => _apart.ProveAsync(source, ct);

    public Task FinishAsync()
    {
        _waiting.Writer.TryComplete();
        lock (_gate) return _work ?? Task.CompletedTask;
    }

    private async Task WorkAsync()
    {
        var some = new List<(ItemPath Item, SourceFile Source)>();
        while (await _waiting.Reader.WaitToReadAsync(CancellationToken.None).ConfigureAwait(false))
        {
            some.Clear();
            while (some.Count < MostTogether && _waiting.Reader.TryRead(out var next)) some.Add(next);
            await DisposeAsync(some).ConfigureAwait(false);
        }
    }

    private async ValueTask DisposeAsync(List<(ItemPath Item, SourceFile Source)> some)
    {
        IReadOnlyList<TransferException?> errors;
        try
        {
            errors = await _side.DisposeAsync([.. some.Select(one => one.Source)], _job.Abort).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The job is given up: the sources stay.
            return;
        }
        catch (TransferException e)
        {
            errors = [.. some.Select(_ => e)];
        }

        for (var i = 0; i < some.Count; i++)
        {
            if (errors[i] is { } error) Leave(some[i].Item, some[i].Source, error);
        }
    }

    private void Leave(ItemPath item, SourceFile source, TransferException error) =>
        _job.Fail(item, error.WithMessage(Left(source, error), source.Path), isLeft: true);

    private static string Left(SourceFile source, TransferException error) =>
        $"{source.Path} was transferred, and is left at the source: {error.Message}";
}
