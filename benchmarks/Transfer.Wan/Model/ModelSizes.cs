namespace Transfer.Wan.Model;

/// <summary>The sizes of parts, in files.</summary>
internal static class ModelSizes
{
    /// <summary>The parts of a plan: equal, since the plan knows all files.</summary>
    public static IReadOnlyList<double> OfPlan(double files, int parts) => [.. Enumerable.Repeat(files / parts, parts)];

    /// <summary>
    /// Shards by folder: a hash spreads folders whose sizes are log-normal, as those of file servers are, so that some shards have more.
    /// </summary>
    /// <param name="files">All files.</param>
    /// <param name="shards">The number of shards.</param>
    /// <param name="folders">The number of folders.</param>
    /// <param name="spread">The standard deviation of the logarithm of a folder's size.</param>
    /// <param name="random">Draws sizes and shards.</param>
    public static IReadOnlyList<double> OfFolders(double files, int shards, int folders, double spread, Random random)
    {
        var sizes = new double[shards];
        for (var i = 0; i < folders; i++)
        {
            var normal = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
            sizes[random.Next(shards)] += Math.Exp(spread * normal);
        }
        var sum = sizes.Sum();
        return [.. sizes.Select(size => size * files / sum)];
    }
}
