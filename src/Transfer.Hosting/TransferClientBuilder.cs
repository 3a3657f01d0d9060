using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Transfer.Ftp;
using Transfer.Sftp;

namespace Transfer.Hosting;

/// <summary>
/// Continues
/// <see cref="TransferServiceCollectionExtensions.AddTransferClient(IServiceCollection, string, Action{TransferClientSettings})"/>.
/// </summary>
public sealed class TransferClientBuilder
{
    internal TransferClientBuilder(IServiceCollection services, string name)
    {
        Services = services;
        Name = name;
    }

    /// <summary>The services that the client is added to.</summary>
    public IServiceCollection Services { get; }

    /// <summary>The client's name: the key of the service.</summary>
    public string Name { get; }

    /// <summary>
    /// Takes the log-in from a delegate, such as a secret store's, instead of the settings. Called at the first use, and after
    /// each reload of the configuration: another log-in makes a new client.
    /// </summary>
    public TransferClientBuilder WithCredential(Func<IServiceProvider, TransferCredential> credential)
    {
        ArgumentNullException.ThrowIfNull(credential);
        return Change(recipe => recipe.Credential = credential);
    }

    /// <summary>Changes the options of FTP and FTPS, for such a URL.</summary>
    public TransferClientBuilder ConfigureFtp(Func<FtpOptions, FtpOptions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        return Change(recipe => recipe.Ftp.Add(change));
    }

    /// <summary>Changes the options of SFTP, for an SFTP URL.</summary>
    public TransferClientBuilder ConfigureSftp(Func<SftpOptions, SftpOptions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        return Change(recipe => recipe.Sftp.Add(change));
    }

    /// <summary>Adds a health check that queries the server (<see cref="TransferClient.PingAsync"/>).</summary>
    /// <param name="name">The check's name; null: <c>transfer-</c> and the client's.</param>
    /// <param name="timeout">The time after which the check fails; null: 10 s.</param>
    /// <param name="failureStatus">The status for a failure; null: unhealthy.</param>
    /// <param name="tags">Tags to choose checks by.</param>
    public TransferClientBuilder AddHealthCheck(string? name = null, TimeSpan? timeout = null, HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null)
    {
        var limit = timeout ?? TimeSpan.FromSeconds(10);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(limit, TimeSpan.Zero, nameof(timeout));
        var client = Name;
        Services.AddHealthChecks().Add(new HealthCheckRegistration(
            name ?? $"transfer-{client}",
            services => new TransferHealthCheck(() => services.GetRequiredKeyedService<TransferClient>(client), limit,
                services.GetService<TimeProvider>() ?? TimeProvider.System),
            failureStatus, tags));
        return this;
    }

    private TransferClientBuilder Change(Action<ClientRecipe> change)
    {
        Services.Configure(Name, change);
        return this;
    }
}
