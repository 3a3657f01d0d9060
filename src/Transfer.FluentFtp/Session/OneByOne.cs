namespace Transfer.FluentFtp.Session;

/// <summary>Runs one request for each of several items: a client of FluentFTP has one command under way.</summary>
internal static class OneByOne
{
    /// <summary>Returns the result of each item, in order.</summary>
    public static async ValueTask<TResult[]> RunAsync<T, TResult>(IReadOnlyList<T> items,
        Func<T, CancellationToken, ValueTask<TResult>> action, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(items);
        var results = new TResult[items.Count];
        for (var i = 0; i < results.Length; i++) results[i] = await action(items[i], ct).ConfigureAwait(false);
        return results;
    }
}
