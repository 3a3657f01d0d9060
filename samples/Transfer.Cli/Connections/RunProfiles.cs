using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Profiles;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Connections;

/// <summary>The profiles of the servers of a run: their log-ins and, where servers are reached in several ways, their settings.</summary>
/// <param name="read">Reads the options of a profile; the settings are null where those of the run are those of the profile.</param>
internal sealed class RunProfiles(Func<ServerProfile, (LoginArguments Login, ConnectionSettings? Settings)> read)
{
    private readonly List<ServerProfile> _profiles = [];
    private Dictionary<ServerProfile, (LoginArguments Login, ConnectionSettings? Settings)> _read = new(ReferenceEqualityComparer.Instance);
    private Dictionary<(ServerProfile, LoginArguments), LoginArguments> _merged = [];

    /// <summary>A run without profiles.</summary>
    public static RunProfiles None { get; } = new(_ => throw new InvalidOperationException("There is no profile."));

    /// <summary>The profiles of a line: none yet, and each is read once for all lines.</summary>
    public RunProfiles ForLine() => new(read) { _read = _read, _merged = _merged };

    /// <summary>Adds a profile that the run uses.</summary>
    /// <exception cref="UsageException">Another profile has the same server and user, so that a URL has either of them.</exception>
    public void Add(ServerProfile profile)
    {
        if (_profiles.Contains(profile)) return;
        if (_profiles.Find(other => IsOf(other, profile.Url)) is { } same)
            throw new UsageException($"@{same.Name} and @{profile.Name} are the same server and user: one command can use one of them.");
        _profiles.Add(profile);
    }

    /// <summary>The profile of a URL; null: none.</summary>
    public ServerProfile? Find(TransferUrl url) => _profiles.Find(profile => IsOf(profile, url));

    /// <summary>The log-in for a URL, and the settings if those of the run are not for its server.</summary>
    /// <param name="url">The URL.</param>
    /// <param name="given">The options of the command.</param>
    public (LoginArguments Login, ConnectionSettings? Settings) For(TransferUrl url, LoginArguments given)
    {
        if (Find(url) is not { } profile) return (given, null);
        if (!_read.TryGetValue(profile, out var own)) _read.Add(profile, own = read(profile));
        if (given.Given.Count == 0) return own;

        // The same arguments are the same log-in, and so the same client.
        if (!_merged.TryGetValue((profile, given), out var merged)) _merged.Add((profile, given), merged = given.Over(own.Login));
        return (merged, own.Settings);
    }

    private static bool IsOf(ServerProfile profile, TransferUrl url) => profile.Url.IsSameServer(url) && profile.Url.User == url.User;
}
