using Transfer.Testing;

namespace Transfer.TestSupport.Ftp;

/// <summary>Files of a server whose RNTO refuses an existing name with 550, as IIS does, or any that the test names.</summary>
internal sealed class NoReplaceStore(ITestStore inner) : StoreFront(inner)
{
    /// <summary>Renames that are refused besides, by their two paths.</summary>
    public Func<string, string, bool> Refuses { get; set; } = (_, _) => false;

    public override async ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default)
    {
        if (Refuses(from, to) || await GetAsync(to, ct) is not null) throw new UnauthorizedAccessException("The name is taken.");
        await base.MoveAsync(from, to, replace, ct);
    }
}
