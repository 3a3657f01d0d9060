namespace Transfer.Wan.Model;

/// <summary>The three phases of a job on several machines, in seconds.</summary>
/// <param name="Plan">The plan, by one machine; 0: shards need none.</param>
/// <param name="Parts">The parts, with what each of them walks.</param>
/// <param name="Final">The last phase.</param>
internal sealed record ModelRun(double Plan, double Parts, double Final)
{
    public double Seconds => Plan + Parts + Final;

    /// <summary>A plan, read once, and parts of equal size; nothing is deleted.</summary>
    public static ModelRun OfPlan(ModelSite site, ModelMethod method, int workers, int parts, Random random) =>
        new(site.Files * ModelCosts.Walk,
            new FleetSimulation(site, method, workers).Run(ModelSizes.OfPlan(site.Files, parts), random).Seconds, 0);

    /// <summary>Shards by file: each of them, and the last phase, walks all.</summary>
    public static ModelRun OfFileShards(ModelSite site, ModelMethod method, int workers, Random random)
    {
        // While a shard walks, files that are found already are sent: the longer of the two counts.
        var walk = Math.Max(site.Files * ModelCosts.Walk,
            workers * site.Files * ModelCosts.WalkServer / (site.Servers * site.ServerCores));
        var sent = new FleetSimulation(site, method, workers).Run(ModelSizes.OfPlan(site.Files, workers), random).Seconds;
        return new(0, Math.Max(walk, sent), site.Files * ModelCosts.Walk);
    }

    /// <summary>Shards by folder: each walks its own folders only, and the last phase walks all.</summary>
    public static ModelRun OfFolderShards(ModelSite site, ModelMethod method, int workers, int shards, Random random)
    {
        var sizes = ModelSizes.OfFolders(site.Files, shards, folders: 1_000_000, spread: 1.5, random);
        var walk = site.Files * Math.Max(ModelCosts.Walk / workers, ModelCosts.WalkServer / (site.Servers * site.ServerCores));
        var sent = new FleetSimulation(site, method, workers).Run(sizes, random).Seconds;
        return new(0, Math.Max(walk, sent), site.Files * ModelCosts.Walk);
    }
}
