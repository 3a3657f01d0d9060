using Microsoft.Extensions.Options;

namespace Transfer.Fleet;

/// <summary>The settings of the section <c>Fleet</c>, the same for all workers.</summary>
internal sealed class FleetOptions : IValidateOptions<FleetOptions>
{
    /// <summary>The section.</summary>
    public const string Section = "Fleet";

    /// <summary>The folder of the plans, which all workers share.</summary>
    public string Plans { get; set; } = "plans";

    /// <summary>The number of workers, by which the limits of <see cref="FleetServer"/> are divided.</summary>
    public int Workers { get; set; } = 1;

    /// <summary>The parts that a worker applies at the same time.</summary>
    public int PartsAtOnce { get; set; } = 1;

    /// <summary>How often a worker checks in at the database. One that has not for three times as long counts as dead.</summary>
    public TimeSpan CheckIn { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How often a failed part is applied again by itself.</summary>
    public int Retries { get; set; } = 3;

    /// <summary>The wait before the first retry, doubled before each further one.</summary>
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The servers that plans may name.</summary>
    public Dictionary<string, FleetServer> Servers { get; } = new(StringComparer.Ordinal);

    /// <inheritdoc/>
    public ValidateOptionsResult Validate(string? name, FleetOptions options)
    {
        var faults = new List<string>();
        if (options.Workers < 1) faults.Add("Fleet:Workers must be 1 or more.");
        if (options.PartsAtOnce < 1) faults.Add("Fleet:PartsAtOnce must be 1 or more.");
        if (options.CheckIn < TimeSpan.FromSeconds(1)) faults.Add("Fleet:CheckIn must be a second or more.");
        if (options.Retries < 0) faults.Add("Fleet:Retries must be 0 or more.");
        if (options.RetryDelay < TimeSpan.Zero) faults.Add("Fleet:RetryDelay must be 0 or more.");
        foreach (var (key, server) in options.Servers)
        {
            if (!FleetPlace.IsName(key)) faults.Add($"Fleet:Servers:{key}: a name has 1 to 60 letters, digits and hyphens.");
            if (server.SessionsTotal < options.Workers)
                faults.Add($"Fleet:Servers:{key}:SessionsTotal must be at least the number of workers, {options.Workers}.");
            if (server.BytesPerSecondTotal < options.Workers)
                faults.Add($"Fleet:Servers:{key}:BytesPerSecondTotal must be at least the number of workers, {options.Workers}.");
        }
        return faults.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(faults);
    }
}
