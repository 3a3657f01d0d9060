using System.Text.Json.Serialization;

namespace Transfer.Fleet;

/// <summary>A plan that is to be made and applied.</summary>
/// <param name="Name">The name: 1 to 60 letters, digits and hyphens.</param>
/// <param name="From">The source, as <c>files:photos</c>.</param>
/// <param name="To">The target.</param>
/// <param name="Parts">The number of parts: some for each worker, so that none waits long for the last.</param>
/// <param name="Delete">Whether entries are deleted at the target that the source lacks.</param>
/// <param name="MaxDelete">The most entries that may be deleted: with more, none is; null: no limit.</param>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
internal sealed record PlanRequest(string Name, string From, string To, int Parts = 16, bool Delete = false, long? MaxDelete = null)
{
    /// <summary>Why there is no such plan; null: the request is in order.</summary>
    public string? FaultOf(FleetServers servers) =>
        !FleetPlace.IsName(Name) ? "A name has 1 to 60 letters, digits and hyphens."
        : servers.FaultOf(From) ?? servers.FaultOf(To)
            ?? (Parts is < 1 or > PlanFolder.MaxParts ? $"A plan has 1 to {PlanFolder.MaxParts} parts."
            : MaxDelete < 0 ? "The most deletions are 0 or more."
            : MaxDelete is not null && !Delete ? "A limit of deletions says nothing without deletions."
            : null);
}
