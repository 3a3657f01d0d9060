using Transfer.Cli.Connections;
using Transfer.Cli.Profiles;

namespace Transfer.Cli.Verbs;

/// <summary>The arguments of a run as they stand for themselves, and the profiles that they are from.</summary>
/// <param name="Paths">URLs, and paths here.</param>
/// <param name="Server">The URL of a script's server, and its profile; null: there is none.</param>
/// <param name="Profiles">The profiles.</param>
/// <param name="Servers">The servers.</param>
/// <param name="Configuration">The configuration that they are from.</param>
internal sealed record RunArguments(
    IReadOnlyList<string> Paths, (string Url, ServerProfile? Profile)? Server, RunProfiles Profiles, ServerSet Servers,
    Configuration Configuration);
