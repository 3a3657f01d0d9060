namespace Transfer.Wan.Clients.Packages;

/// <summary>Files shared evenly among clients that work at once.</summary>
internal sealed class Shares(int clients)
{
    public Task RunAsync(IReadOnlyList<string?> names, Func<IEnumerable<string?>, Task> move) =>
        Task.WhenAll(
            Enumerable.Range(0, Math.Min(clients, names.Count)).Select(i => move(names.Where((_, index) => index % clients == i))));
}
