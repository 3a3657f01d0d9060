using Transfer.Replacing;

namespace Transfer.Local.Provider;

/// <summary>
/// A replacement's steps on a disk, where a rename replaces in one step or not at all: the target is never the reason of a refusal, so that
/// nothing is moved aside.
/// </summary>
internal sealed class LocalRenamer : IRenamer
{
    private readonly LocalSession _session;
    private readonly LocalRoot _root;

    public LocalRenamer(LocalSession session, LocalRoot root)
    {
        _session = session;
        _root = root;
    }

    public ValueTask<IReadOnlyList<RenameReply>> RenameAsync(IReadOnlyList<ReplacementStep.Rename> renames, CancellationToken ct) =>
        new([.. renames.Select(Rename)]);

    public async ValueTask<IReadOnlyList<NameSight>> LookAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var sights = new NameSight[paths.Count];
        for (var i = 0; i < sights.Length; i++)
        {
            try
            {
                sights[i] = NameSight.Of(await _session.GetEntryAsync(paths[i], ct).ConfigureAwait(false));
            }
            catch (TransferException)
            {
                // No permission, most likely: the name may be taken, which is the meaning of the default.
                sights[i] = default;
            }
        }
        return sights;
    }

    public async ValueTask<TransferException?> DeleteAsync(string path, CancellationToken ct) =>
        (await _session.DeleteFilesAsync([path], ct).ConfigureAwait(false))[0];

    private RenameReply Rename(ReplacementStep.Rename rename)
    {
        try
        {
            var (source, target) = (_root.Resolve(rename.From, follow: false), _root.Resolve(rename.To, follow: false));
            if (DiskDirectories.Exists(source) && !LocalLinks.IsLink(source)) DiskFiles.Rename(source, target);
            else LocalRename.Move(source, target, rename.Replaces);
            return new(RenameAnswer.Done);
        }
        catch (TransferException e)
        {
            return new(RenameAnswer.Denied, e);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            var error = LocalErrors.Map(e, "Cannot rename", rename.From);
            return new(RenameAnswer.Denied, error.WithMessage(error.Message, rename.From));
        }
    }
}
