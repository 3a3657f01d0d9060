using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// The creation of links that goes on after the session was lost. Some of the links may exist although no answer came: their texts are
/// read before the repetition, and a link of the same text counts as created.
/// </summary>
/// <param name="links">The links.</param>
internal sealed class LostLinks(IReadOnlyList<SymbolicLink> links)
{
    private readonly bool[] _isDone = new bool[links.Count];
    private bool _hasBegun;

    /// <summary>Creates the links that are not known to exist; returns an error or null for each, in order.</summary>
    public async ValueTask<IReadOnlyList<TransferException?>> CreateAsync(TransferSession session, CancellationToken ct)
    {
        if (!_hasBegun)
        {
            _hasBegun = true;
            return await session.CreateLinksAsync(links, ct).ConfigureAwait(false);
        }
        await FindAsync(session, [.. Enumerable.Range(0, links.Count)], ct).ConfigureAwait(false);
        // A link under the temporary name would refuse the next one.
        string[] temporary = [.. links.Where(link => link.Replace).Select(link => link.TemporaryPath).OfType<string>()];
        if (temporary.Length > 0) await session.DeleteFilesAsync(temporary, ct).ConfigureAwait(false);
        int[] left = [.. Enumerable.Range(0, links.Count).Where(i => !_isDone[i])];
        var errors = new TransferException?[links.Count];
        if (left.Length == 0) return errors;
        var outcomes = await session.CreateLinksAsync([.. left.Select(i => links[i])], ct).ConfigureAwait(false);
        for (var i = 0; i < left.Length; i++) errors[left[i]] = outcomes[i];
        // A server may process the last requests of the lost session only now.
        int[] taken = [.. left.Where(i => errors[i] is { Error: TransferError.Exists })];
        if (taken.Length == 0) return errors;
        await FindAsync(session, taken, ct).ConfigureAwait(false);
        return [.. errors.Select((error, i) => _isDone[i] ? null : error)];
    }

    /// <summary>Returns the outcomes when the last attempt has failed: null for a link that is known to exist, else the error.</summary>
    public IReadOnlyList<TransferException?> OutcomesAfter(TransferException error) => [.. _isDone.Select(done => done ? null : error)];

    private async ValueTask FindAsync(TransferSession session, int[] some, CancellationToken ct)
    {
        var found = await session.ReadLinksAsync([.. some.Select(i => links[i].Path)], ct).ConfigureAwait(false);
        for (var i = 0; i < some.Length; i++) _isDone[some[i]] |= found[i].Entry?.LinkTarget == links[some[i]].Target;
    }
}
