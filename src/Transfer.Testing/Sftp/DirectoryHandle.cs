namespace Transfer.Testing.Sftp;

/// <summary>An open directory.</summary>
internal sealed class DirectoryHandle(string path, TestEntry self, IAsyncEnumerator<TestEntry> entries) : OpenHandle(path)
{
    private const int Batch = 100;
    private bool _isBegun;

    /// <summary>The next entries, <c>.</c> and <c>..</c> first; none at the end.</summary>
    public async ValueTask<List<TestEntry>> NextAsync()
    {
        var batch = new List<TestEntry>(Batch);
        if (!_isBegun)
        {
            _isBegun = true;
            batch.Add(self with { Name = "." });
            batch.Add(self with { Name = ".." });
        }

        while (batch.Count < Batch && await entries.MoveNextAsync().ConfigureAwait(false)) batch.Add(entries.Current);
        return batch;
    }

    public override ValueTask DisposeAsync() => entries.DisposeAsync();
}
