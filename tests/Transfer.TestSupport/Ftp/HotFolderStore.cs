using Transfer.Testing;

namespace Transfer.TestSupport.Ftp;

/// <summary>Takes a file away as soon as that has a new name, as the program does for which files arrive in a hot folder.</summary>
/// <param name="inner">The files.</param>
internal sealed class HotFolderStore(ITestStore inner) : StoreFront(inner)
{
    public override async ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default)
    {
        await base.MoveAsync(from, to, replace, ct);
        await DeleteFileAsync(to, ct);
    }
}
