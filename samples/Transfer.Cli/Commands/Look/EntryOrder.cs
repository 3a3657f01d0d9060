namespace Transfer.Cli.Commands.Look;

/// <summary>The order of entries that ls prints.</summary>
/// <param name="ByTime">The newest first.</param>
/// <param name="BySize">The largest first.</param>
/// <param name="IsReverse">The reverse of that.</param>
internal sealed record EntryOrder(bool ByTime, bool BySize, bool IsReverse) : IComparer<RemoteEntry>
{
    /// <summary>Whether an order was asked for.</summary>
    public bool IsGiven => ByTime || BySize || IsReverse;

    /// <summary>Whether the order is one of times or lengths.</summary>
    public bool IsOfFacts => ByTime || BySize;

    public static EntryOrder Read(Invocation invocation)
    {
        var look = invocation.Options.Look;
        var order = new EntryOrder(invocation.Flag(look.ByTime), invocation.Flag(look.BySize), invocation.Flag(look.Reverse));
        return order is { ByTime: true, BySize: true } ? throw new UsageException("-t and -S contradict each other.") : order;
    }

    public int Compare(RemoteEntry? x, RemoteEntry? y)
    {
        var order = ByTime ? Nullable.Compare(y!.Modified, x!.Modified) : BySize ? Nullable.Compare(y!.Length, x!.Length) : 0;
        if (order == 0) order = string.CompareOrdinal(x!.Path, y!.Path);
        return IsReverse ? -order : order;
    }
}
