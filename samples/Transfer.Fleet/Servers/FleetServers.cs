using Microsoft.Extensions.Options;
using Transfer.Hosting;

namespace Transfer.Fleet;

/// <summary>The servers of the configuration.</summary>
/// <param name="services">The container with a client for each.</param>
/// <param name="settings">The clients' settings.</param>
/// <param name="options">The fleet's settings.</param>
internal sealed class FleetServers(
    IServiceProvider services, IOptionsMonitor<TransferClientSettings> settings, IOptions<FleetOptions> options)
{
    /// <summary>The servers' names.</summary>
    public IEnumerable<string> Names => options.Value.Servers.Keys.Order(StringComparer.Ordinal);

    /// <summary>Why a place cannot be used; null: it can.</summary>
    public string? FaultOf(string? place) =>
        !FleetPlace.TryParse(place, out var parsed) ? $"A folder is {FleetPlace.Form}." : FaultOf(parsed);

    /// <summary>Opens the folders of a plan. Nothing is connected yet.</summary>
    /// <exception cref="TransferException">The configuration of this worker has no such server.</exception>
    public FleetPair Open(FleetPlace from, FleetPlace to) => new(Open(from), Open(to));

    private string? FaultOf(FleetPlace place) =>
        options.Value.Servers.ContainsKey(place.Server) ? null : $"There is no server {place.Server} in the configuration.";

    private FleetFolder Open(FleetPlace place)
    {
        if (FaultOf(place) is { } fault) throw new TransferException(TransferError.NotFound, fault);
        var client = services.GetRequiredKeyedService<TransferClient>(place.Server);
        var local = settings.Get(place.Server).Url is { IsFile: true } url ? Path.Combine(url.LocalPath, place.Path) : null;
        return new(client, place.Path, local);
    }
}
