using Microsoft.Extensions.Logging;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Agent;
using Transfer.Sftp.Keys.Config;

namespace Transfer.Sftp.Routes;

/// <summary>
/// The keys that hosts are offered, in order: those of the options, those of the configuration's files, those of the agent.
/// </summary>
internal sealed class LogInKeys : IDisposable
{
    private readonly SftpOptions _options;
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, SshAgent> _agents = new(StringComparer.Ordinal);
    private readonly Dictionary<(string Path, bool Asks), IdentityFile> _files = [];

    public LogInKeys(SftpOptions options, ILogger logger)
    {
        (_options, _logger) = (options, logger);
        foreach (var problem in options.Identities.Select(identity => identity.CertificateProblem).OfType<string>())
            Log.CertificateSkipped(logger, problem);
    }

    /// <summary>Returns the signers for one host. A key in several places is tried once: servers count attempts.</summary>
    /// <exception cref="TransferException">The agent is required, and is absent or fails.</exception>
    public async ValueTask<IReadOnlyList<ISshSigner>> ListAsync(HostPlan host, CancellationToken ct)
    {
        var said = host.Config;
        if (!said.LogInRules.PublicKey) return [];
        var agent = await AgentFor(said).ListAsync(ct).ConfigureAwait(false);
        var signers = _options.Identities.SelectMany(identity => identity.Signers).ToList();
        var named = new HashSet<string>(StringComparer.Ordinal);
        foreach (var path in _options.IdentityFiles.Concat(host.IdentityFiles))
        {
            var (keys, ofFile) = await Find(path, !said.IsBatchMode).ReadPublicAsync(ct).ConfigureAwait(false);
            named.UnionWith(keys.Select(Name));

            // A key that the agent holds needs no passphrase.
            signers.AddRange(keys.Select(key => ofFile.FirstOrDefault(signer => !signer.NeedsUser && Name(signer.PublicKey) == Name(key))
                ?? agent.FirstOrDefault(signer => Name(signer.PublicKey) == Name(key))
                ?? ofFile.FirstOrDefault(signer => Name(signer.PublicKey) == Name(key))).OfType<ISshSigner>());
        }

        var onlyNamed = said.IdentitiesOnly || _options.IdentityFiles.Count > 0;
        signers.AddRange(onlyNamed ? agent.Where(signer => named.Contains(Name(signer.PublicKey))) : agent);
        return [.. signers.DistinctBy(signer => Name(signer.PublicKey)).Where(signer => said.LogInRules.Allows(signer.PublicKey))];
    }

    public void Dispose()
    {
        lock (_gate)
        {
            foreach (var file in _files.Values) file.Dispose();
            _files.Clear();
        }
    }

    private static string Name(SshPublicKey key) => Convert.ToBase64String(key.Blob.Span);

    private IdentityFile Find(string path, bool asks)
    {
        lock (_gate)
        {
            if (!_files.TryGetValue((path, asks), out var file))
            {
                var isNamed = _options.IdentityFiles.Contains(path);
                _files.Add((path, asks), file = new IdentityFile(path, isNamed, asks ? _options.Interaction : null, _logger));
            }

            return file;
        }
    }

    /// <summary>The agent that the options name, else the configuration's, else the usual one.</summary>
    private SshAgent AgentFor(SshHostConfig said)
    {
        var agent = _options.Agent;
        if (agent.Path is null && said.IdentityAgent is { } path)
        {
            if (path.Length > 0) agent = agent with { Path = path };
            else if (agent.Use == SshAgentUse.IfPresent) agent = agent with { Use = SshAgentUse.Never };
        }

        lock (_gate)
        {
            var key = $"{agent.Use} {agent.Path}";
            if (!_agents.TryGetValue(key, out var one)) _agents.Add(key, one = new SshAgent(agent, _options.TimeProvider, _logger));
            return one;
        }
    }
}
