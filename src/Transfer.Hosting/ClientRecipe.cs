using Microsoft.Extensions.Logging;
using Transfer.Ftp;
using Transfer.Sftp;

namespace Transfer.Hosting;

/// <summary>The application's code for making a named client from settings.</summary>
internal sealed class ClientRecipe
{
    private static readonly TransferClientFactory Factory =
        new([new FtpTransferProvider(), new SftpTransferProvider(), new LocalTransferProvider()]);

    /// <summary>Gives the log-in; null: the settings do.</summary>
    public Func<IServiceProvider, TransferCredential>? Credential { get; set; }

    /// <summary>Changes to the options of FTP, in order.</summary>
    public List<Func<FtpOptions, FtpOptions>> Ftp { get; } = [];

    /// <summary>Changes to the options of SFTP, in order.</summary>
    public List<Func<SftpOptions, SftpOptions>> Sftp { get; } = [];

    /// <summary>Makes the client; nothing is connected yet.</summary>
    /// <param name="name">The client's name, for messages.</param>
    /// <param name="settings">The settings.</param>
    /// <param name="services">The container.</param>
    /// <param name="present">The digest of the present client; null: there is none.</param>
    /// <returns>The client; null: the present one was made of the same.</returns>
    /// <exception cref="InvalidOperationException">
    /// The settings have no URL, or an invalid one, or a setting of another protocol.
    /// </exception>
    /// <exception cref="ArgumentException">An option is invalid.</exception>
    /// <exception cref="TransferException">No protocol serves the URL, or a key cannot be read.</exception>
    public MadeClient? Create(string name, TransferClientSettings settings, IServiceProvider services, byte[]? present)
    {
        if (settings.Url is not { IsAbsoluteUri: true } url)
            throw new InvalidOperationException($"The transfer client '{name}' needs a Url: ftp, ftpes, ftps, sftp or file, and absolute.");
        var credential = Credential?.Invoke(services) ?? CredentialOf(settings);
        var digest = SettingsDigest.Of(settings, credential);
        if (present is not null && digest.AsSpan().SequenceEqual(present)) return null;
        var common = Common(settings, credential, services);
        var keys = new List<SshIdentity>();
        try
        {
            var options = url.Scheme switch
            {
                "sftp" => Sftp.Aggregate(SftpOf(common, settings, keys), (options, change) => change(options)),
                "file" => common,
                _ => Ftp.Aggregate(FtpOf(common, settings), (options, change) => change(options)),
            };
            string[] unused = [.. Unused(settings, url.Scheme, options)];
            if (unused.Length > 0)
            {
                throw new InvalidOperationException(
                    $"The transfer client '{name}' has {string.Join(", ", unused)}, without effect for its Url ({url.Scheme}).");
            }
            return new MadeClient(Factory.Create(url, options), keys, digest);
        }
        catch
        {
            foreach (var key in keys) key.Dispose();
            throw;
        }
    }

    // Pins that have no effect would leave the log-in in clear text, and keys leave the password as the only proof.
    private static IEnumerable<string> Unused(TransferClientSettings settings, string scheme, TransferClientOptions options)
    {
        if (scheme == "sftp") yield break;
        if (settings.Pins.Count > 0 && (options is not FtpOptions ftp || scheme == "ftp" && ftp.TlsMode is null or FtpTlsMode.Off))
            yield return nameof(settings.Pins);
        if (settings.KnownHosts is not null) yield return nameof(settings.KnownHosts);
        if (settings.Identities.Count > 0) yield return nameof(settings.Identities);
        if (settings.IdentityPassphrase is not null) yield return nameof(settings.IdentityPassphrase);
    }

    private static TransferClientOptions Common(TransferClientSettings settings, TransferCredential? credential, IServiceProvider services)
    {
        var options = new TransferClientOptions
        {
            Credential = credential,
            LoggerFactory = (ILoggerFactory?)services.GetService(typeof(ILoggerFactory)),
            MaxBytesPerSecond = settings.MaxBytesPerSecond,
            RateSchedule = settings.RateChanges.Count == 0 ? null : new RateSchedule(settings.RateChanges),
        };
        return options with
        {
            TimeProvider = (TimeProvider?)services.GetService(typeof(TimeProvider)) ?? options.TimeProvider,
            MaxSessions = settings.MaxSessions ?? options.MaxSessions,
            IdleTimeout = settings.IdleTimeout ?? options.IdleTimeout,
            LogInTimeout = settings.LogInTimeout ?? options.LogInTimeout,
        };
    }

    private static TransferCredential? CredentialOf(TransferClientSettings settings)
    {
        var password = settings.PasswordFile is { } file ? File.ReadLines(file).FirstOrDefault() ?? string.Empty : settings.Password;
        return settings.UserName is null && password is null ? null
            : new TransferCredential(settings.UserName ?? Uri.UnescapeDataString(settings.Url!.UserInfo.Split(':')[0]),
                password ?? string.Empty);
    }

    private static FtpOptions FtpOf(TransferClientOptions common, TransferClientSettings settings)
    {
        var options = new FtpOptions(common);
        return settings.Pins.Count == 0 ? options : options with { Tls = options.Tls with { Pins = [.. settings.Pins] } };
    }

    private static SftpOptions SftpOf(TransferClientOptions common, TransferClientSettings settings, List<SshIdentity> keys)
    {
        // A container makes services synchronously; a key file is small and local.
        foreach (var file in settings.Identities)
            keys.Add(SshIdentity.FromFileAsync(file, settings.IdentityPassphrase).AsTask().GetAwaiter().GetResult());
        var options = new SftpOptions(common);
        return options with
        {
            Identities = keys,
            HostKeys = options.HostKeys with
            {
                Pins = [.. settings.Pins],
                KnownHostsFiles = settings.KnownHosts is { } known ? [known] : options.HostKeys.KnownHostsFiles
            },
        };
    }
}
