using Transfer.Diagnostics;

namespace Transfer.Engine;

/// <summary>What becomes of links.</summary>
internal sealed partial class FolderPlanner
{
    private const int LinksTogether = 256;

    // Links that lead to each other's folders are no loop, but every way through them is another path: their number has no bound.
    private const int MostFollowed = 100_000;

    private readonly List<PlannedLink> _links = [];
    private int _followed;

    private async ValueTask CopyLinksAsync(
        PlannedDirectory directory, List<TreeEntry> links, Dictionary<string, TreeEntry>? existing, TransferException? unknown, CancellationToken ct)
    {
        if ((directory.Error ?? unknown) is { } error)
        {
            Fail(directory, links, error);
            return;
        }
        IReadOnlyList<LinkText> texts;
        try
        {
            texts = await _source.ReadLinksAsync(directory, links, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Fail(directory, links, e);
            return;
        }
        for (var i = 0; i < links.Count; i++)
        {
            var path = directory.PathOf(links[i].Name);
            if (texts[i].Error is { } unread) _job.Fail(path, unread);
            else if (Decide(path, links[i], existing)) Add(directory, links[i], texts[i].Text!);
        }
    }

    private async ValueTask FollowLinksAsync(
        PlannedDirectory directory, List<TreeEntry> links, Dictionary<string, TreeEntry>? existing, TransferException? unknown,
        List<PlannedDirectory> next, CancellationToken ct)
    {
        IReadOnlyList<LinkEnd> ends;
        try
        {
            ends = await _source.FollowAsync(directory, links, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Fail(directory, links, e);
            return;
        }
        for (var i = 0; i < links.Count; i++)
        {
            if (ends[i].Error is { } error) _job.Fail(directory.PathOf(links[i].Name), error);
            else if (ends[i].Entry is not { } entry) _job.Skip(directory.PathOf(links[i].Name));
            else await PlanAsync(directory, entry, ends[i].RealPath, existing, unknown, next).ConfigureAwait(false);
        }
    }

    private void Enter(PlannedDirectory child, List<PlannedDirectory> next)
    {
        if (child.IsFollowed && child.Parent!.IsInside(child.RealPath))
        {
            Log.LinkLoop(_job.Logger, child.Path);
            _job.Skip(child.Path);
        }
        else if (child.IsFollowed && Interlocked.Increment(ref _followed) > MostFollowed)
        {
            _job.Fail(child.Path, new TransferException(TransferError.Unsupported, $"{child.Path}: the links of this folder lead to more than {MostFollowed} folders."));
        }
        else
        {
            lock (next) next.Add(child);
        }
    }

    private void Add(PlannedDirectory directory, TreeEntry link, string text)
    {
        var planned = new PlannedLink(
            directory, link.Name, text, _options.PreserveModified ? link.Modified : null,
            _options.Overwrite is Overwrite.Always or Overwrite.Newer, _job.NextTemporaryName());
        lock (_links) _links.Add(planned);
        _job.Expect(0);
    }

    // When all directories are there: nothing of this job is then made in a directory that one of its own links stands for.
    private async ValueTask MakeLinksAsync(CancellationToken ct)
    {
        foreach (var some in _links.Chunk(LinksTogether))
        {
            IReadOnlyList<TransferException?> errors;
            try
            {
                errors = await _target.CreateLinksAsync(some, ct).ConfigureAwait(false);
            }
            catch (TransferException e)
            {
                errors = [.. some.Select(_ => e)];
            }
            for (var i = 0; i < some.Length; i++)
            {
                if (errors[i] is null)
                {
                    _job.Done(some[i].Path, new TransferResult());
                    continue;
                }
                _job.Unexpect(0);
                if (errors[i] is { Error: TransferError.Exists } && _options.Overwrite == Overwrite.Skip) _job.Skip(some[i].Path);
                else _job.Fail(some[i].Path, errors[i]!);
            }
        }
    }

    private void Fail(PlannedDirectory directory, List<TreeEntry> links, TransferException error)
    {
        foreach (var link in links) _job.Fail(directory.PathOf(link.Name), error);
    }
}
