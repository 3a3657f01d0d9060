namespace Transfer.Engine;

/// <summary>What becomes of links.</summary>
internal sealed partial class FolderPlanner
{
    private const int LinksTogether = 256;

    private readonly List<PlannedLink> _links = [];

    private async ValueTask CopyLinksAsync(PlannedDirectory directory, Found found, CancellationToken ct)
    {
        if (found.Error is { } error)
        {
            Fail(directory, found.Links, error);
            return;
        }
        IReadOnlyList<LinkText> texts;
        Dictionary<string, string?> there;
        try
        {
            texts = await _source.ReadLinksAsync(directory.Path, found.Links, ct).ConfigureAwait(false);
            there = await TextsThereAsync(directory, found, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Fail(directory, found.Links, e);
            return;
        }
        for (var i = 0; i < found.Links.Count; i++)
        {
            var link = found.Links[i];
            var (item, name) = (directory.ItemOf(link.Name), directory.NameThere(link.Name));
            if (texts[i].Error is { } unread) _job.Fail(item, unread);
            else if (_rule.Link(item, link, texts[i].Text!, found.There(name), there.GetValueOrDefault(name))) Add(directory, link, texts[i].Text!);
        }
    }

    private async ValueTask<Dictionary<string, string?>> TextsThereAsync(PlannedDirectory directory, Found found, CancellationToken ct)
    {
        var texts = new Dictionary<string, string?>();
        if (!_rule.WalksTarget) return texts;
        var links = found.Links.Select(link => found.There(directory.NameThere(link.Name))).OfType<TreeEntry>().Where(there => there.Type == RemoteEntryType.Link).ToList();
        if (links.Count == 0) return texts;
        var read = await _target.ReadLinksAsync(directory.TargetPath, links, ct).ConfigureAwait(false);
        for (var i = 0; i < links.Count; i++) texts[links[i].Name] = read[i].Text;
        return texts;
    }

    private async ValueTask FollowLinksAsync(PlannedDirectory directory, Found found, CancellationToken ct)
    {
        IReadOnlyList<LinkEnd> ends;
        try
        {
            ends = await _source.FollowAsync(directory.Path, found.Links, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Fail(directory, found.Links, e);
            return;
        }
        for (var i = 0; i < found.Links.Count; i++)
        {
            var item = directory.ItemOf(found.Links[i].Name);
            if (ends[i].Error is { } error) _job.Fail(item, error);
            else if (ends[i].Entry is not { } entry) _job.Skip(item);
            else if (Admits(directory, entry)) Sort(directory, entry, ends[i].RealPath, found);
        }
    }

    private void Add(PlannedDirectory directory, TreeEntry link, string text)
    {
        var planned = new PlannedLink(
            directory, link.Name, text, _options.PreserveModified ? link.Modified : null,
            _options.Overwrite is OverwriteMode.Always or OverwriteMode.Newer, _job.NextTemporaryName());
        lock (_links) _links.Add(planned);
        _job.Expect(0);
    }

    // Gives those whose names are free now.
    private async ValueTask<PlannedLink[]> SaveReplacedAsync(PlannedLink[] links, CancellationToken ct)
    {
        if (_saving is null) return links;
        var free = new List<PlannedLink>(links.Length);
        foreach (var link in links)
        {
            try
            {
                if (link.Replace) await _saving.TakeAsync(link.Item.There, ct).ConfigureAwait(false);
                free.Add(link);
            }
            catch (TransferException e)
            {
                _job.Unexpect(0);
                _job.Fail(link.Item, e);
            }
        }
        return [.. free];
    }

    // When all directories are there: nothing of this job is then made in a directory that one of its own links stands for.
    private async ValueTask MakeLinksAsync(CancellationToken ct)
    {
        foreach (var wanted in _links.Chunk(LinksTogether))
        {
            IReadOnlyList<TransferException?> errors;
            var some = await SaveReplacedAsync(wanted, ct).ConfigureAwait(false);
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
                    _job.Done(some[i].Item, new TransferResult());
                    continue;
                }
                _job.Unexpect(0);
                if (errors[i] is { Error: TransferError.Exists } && _options.Overwrite == OverwriteMode.Skip) _job.Skip(some[i].Item);
                else _job.Fail(some[i].Item, errors[i]!);
            }
        }
    }
}
