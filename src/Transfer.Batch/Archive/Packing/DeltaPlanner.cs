using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>
/// A stage between walk and plan: requests the receiver's versions of files, many at once and ahead of packing, and makes deltas of those
/// files that gain by a delta. Files without a request overtake the waiting ones.
/// </summary>
internal sealed class DeltaPlanner : IDisposable
{
    // The most files requested or compared at once: enough for a connection with a long round trip; a task and a path each.
    private const int MostRequests = 512;

    // The unit of memory for signatures under way or received, for comparing them, and for their deltas until taken. Few units: a waiter
    // for several of them takes them one by one.
    private const int Unit = 64 << 10;
    private const int MostAhead = 64;
    private const int MostProcessors = 4;

    private readonly SemaphoreSlim _requests = new(MostRequests);
    private readonly SemaphoreSlim _units;
    private readonly int _mostUnits;
    private readonly SemaphoreSlim _processors = new(Math.Clamp(Environment.ProcessorCount, 1, MostProcessors));
    private readonly Channel<Planned> _output = Channel.CreateBounded<Planned>(MostAhead);
    private readonly LocalTreeReader _tree;
    private readonly IBaseInquiry _bases;
    private readonly BatchPackOptions _options;

    /// <param name="tree">The folder.</param>
    /// <param name="bases">The inquiry about the receiver's files.</param>
    /// <param name="options">How to pack.</param>
    public DeltaPlanner(LocalTreeReader tree, IBaseInquiry bases, BatchPackOptions options)
    {
        _tree = tree;
        _bases = bases;
        _options = options;
        _mostUnits = (int)Math.Max(1, options.Buffers.Signatures / Unit);
        _units = new SemaphoreSlim(_mostUnits);
    }

    /// <summary>The same items, some of them as deltas, and not all in their order. Called once.</summary>
    public async IAsyncEnumerable<PackItem> PlanAsync(IAsyncEnumerable<PackItem> items, [EnumeratorCancellation] CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var feeding = Task.Run(() => FeedAsync(items, stop), CancellationToken.None);
        try
        {
            await foreach (var (item, units) in _output.Reader.ReadAllAsync(ct).ConfigureAwait(false))
            {
                if (units > 0) _units.Release(units);
                yield return item;
            }
        }
        finally
        {
            await stop.CancelAsync().ConfigureAwait(false);
            await feeding.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    public void Dispose()
    {
        _requests.Dispose();
        _units.Dispose();
        _processors.Dispose();
    }

    private async Task FeedAsync(IAsyncEnumerable<PackItem> items, CancellationTokenSource stop)
    {
        try
        {
            await RequestAllAsync(items, stop.Token).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // The exception first: the requests that are cancelled next would report theirs.
            _output.Writer.TryComplete(e);
            await stop.CancelAsync().ConfigureAwait(false);
        }
        // All requests have ended: none is under way any more.
        for (var i = 0; i < MostRequests; i++) await _requests.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        _output.Writer.TryComplete();
    }

    private async ValueTask RequestAllAsync(IAsyncEnumerable<PackItem> items, CancellationToken ct)
    {
        var welcome = _bases.IsWorthwhileAsync(ct).AsTask();
        await foreach (var item in items.WithCancellation(ct).ConfigureAwait(false))
        {
            var units = IsCandidate(item) ? UnitsOf(BlockShape.MostSignature(item.Length) + BlockShape.MostIndex(item.Length)) : 0;
            // A file without enough memory for a delta travels whole.
            if (units == 0 || units > _mostUnits || welcome is { IsCompletedSuccessfully: true, Result: false })
            {
                await _output.Writer.WriteAsync(new Planned(item, 0), ct).ConfigureAwait(false);
                continue;
            }
            for (var i = 0; i < units; i++) await _units.WaitAsync(ct).ConfigureAwait(false);
            await _requests.WaitAsync(ct).ConfigureAwait(false);
            _ = Task.Run(() => RequestAsync(item, welcome, units, ct), CancellationToken.None);
        }
    }

    private static bool IsCandidate(PackItem item) =>
        item.Type == TarEntryType.File && item.Length is >= BlockShape.LeastLength and <= BlockShape.MostLength
        && item.Path.Length <= TarFormat.MostPath;

    private async Task RequestAsync(PackItem item, Task<bool> welcome, int units, CancellationToken ct)
    {
        try
        {
            if (await welcome.ConfigureAwait(false)) item.Delta = await FindAsync(item, ct).ConfigureAwait(false);
            // The signature goes, the instructions stay: never more than was reserved, for a file has fewer steps than the longest valid
            // signature has blocks.
            var kept = Math.Min(units, UnitsOf(item.Delta?.Instructions.Length ?? 0));
            if (units > kept) _units.Release(units - kept);
            units = kept;
            await _output.Writer.WriteAsync(new Planned(item, units), ct).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            if (units > 0) _units.Release(units);
            // The first failure ends all; the reader gets the exception, unless the reader has cancelled.
            _output.Writer.TryComplete(e);
        }
        finally
        {
            _requests.Release();
        }
    }

    private async ValueTask<FileDelta?> FindAsync(PackItem item, CancellationToken ct)
    {
        var answer = await _bases.AskAsync(item.Path, item.Length, item.ModifiedTicks, ct).ConfigureAwait(false);
        if (answer.IsSkipped) return FileDelta.NameOnly;
        if (answer.Signature is not { } signature) return null;
        await _processors.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            return Match(item, signature, ct);
        }
        finally
        {
            _processors.Release();
        }
    }

    // Only an item in the state that the walk found: changes since then are noticed in packing.
    private FileDelta? Match(PackItem item, BaseSignature signature, CancellationToken ct)
    {
        try
        {
            var path = _tree.PathOf(item.Path);
            using var handle = DiskFiles.Open(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            if (SourceStamp.Of(handle, path) != item.Stamp) return null;
            var delta = DeltaMatcher.Match(handle, item.Length, signature, Math.Min(item.Length - (item.Length / 4), _options.DeltaBytes),
                ct);
            return delta is not null && SourceStamp.Of(handle, path) == item.Stamp ? delta : null;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // The packer meets the same error, and reports it.
            return null;
        }
    }

    private static int UnitsOf(int bytes) => (bytes + Unit - 1) / Unit;

    // An item, and the units of memory held until the item is taken.
    private readonly record struct Planned(PackItem Item, int Units);
}
