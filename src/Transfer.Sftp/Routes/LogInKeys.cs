using Microsoft.Extensions.Logging;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Agent;

namespace Transfer.Sftp.Routes;

/// <summary>The keys that hosts are shown, in order: those that were given, those of the configuration's files, those of the agent.</summary>
internal sealed class LogInKeys(SftpOptions options, ILogger logger) : IDisposable
{
    private readonly SshAgent _agent = new(options.Agent, options.TimeProvider, logger);
    private readonly Lock _gate = new();
    private readonly Dictionary<string, IdentityFile> _files = new(StringComparer.Ordinal);

    /// <summary>What signs for one host. A key that is in several places is tried once: servers count attempts.</summary>
    /// <exception cref="TransferException">The agent is required, and is absent or fails.</exception>
    public async ValueTask<IReadOnlyList<ISshSigner>> ListAsync(HostPlan host, CancellationToken ct)
    {
        var agent = await _agent.ListAsync(ct).ConfigureAwait(false);
        var signers = options.Identities.SelectMany(identity => identity.Signers).ToList();
        var named = new HashSet<string>(StringComparer.Ordinal);
        foreach (var path in host.IdentityFiles)
        {
            var (keys, ofFile) = await Find(path).LookAsync(ct).ConfigureAwait(false);
            named.UnionWith(keys.Select(Name));

            // What the agent holds needs no passphrase.
            signers.AddRange(keys.Select(key => ofFile.FirstOrDefault(signer => !signer.AsksSomebody && Name(signer.PublicKey) == Name(key))
                ?? agent.FirstOrDefault(signer => Name(signer.PublicKey) == Name(key))
                ?? ofFile.FirstOrDefault(signer => Name(signer.PublicKey) == Name(key))).OfType<ISshSigner>());
        }

        signers.AddRange(host.IdentitiesOnly ? agent.Where(signer => named.Contains(Name(signer.PublicKey))) : agent);
        return [.. signers.DistinctBy(signer => Name(signer.PublicKey))];
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

    private IdentityFile Find(string path)
    {
        lock (_gate)
        {
            if (!_files.TryGetValue(path, out var file)) _files.Add(path, file = new IdentityFile(path, options.Interaction, logger));
            return file;
        }
    }
}
