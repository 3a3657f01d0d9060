using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Transfer.Hosting;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds transfer clients to a host's services.</summary>
public static class TransferServiceCollectionExtensions
{
    /// <summary>
    /// Adds a client under a name, with settings from configuration: <c>[FromKeyedServices("inbox")] TransferClient client</c>. The client
    /// is made at its first use, connects when needed, and is closed with the container. After a change of the section, of the password or
    /// of a key file that is named there, and a reload of the configuration, later operations have the new settings.
    /// </summary>
    /// <param name="services">The host's services.</param>
    /// <param name="name">The client's name, the key of its service.</param>
    /// <param name="configuration">
    /// The section of its <see cref="TransferClientSettings"/>, and of nothing else: a setting that is unknown, or has no value of its
    /// type, is an <see cref="InvalidOperationException"/> at the client's first use.
    /// </param>
    public static TransferClientBuilder AddTransferClient(this IServiceCollection services, string name, IConfiguration configuration)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        var builder = Add(services, name);
        services.AddSingleton<IOptionsChangeTokenSource<TransferClientSettings>>(
            new ConfigurationChangeTokenSource<TransferClientSettings>(name, configuration));
        services.Configure<TransferClientSettings>(name, settings => SettingsReader.Read(configuration, name, settings));
        return builder;
    }

    /// <summary>
    /// Adds a client under a name, with settings from code. See
    /// <see cref="AddTransferClient(IServiceCollection, string, IConfiguration)"/>.
    /// </summary>
    public static TransferClientBuilder AddTransferClient(this IServiceCollection services, string name,
        Action<TransferClientSettings> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        var builder = Add(services, name);
        services.Configure(name, configure);
        return builder;
    }

    private static TransferClientBuilder Add(IServiceCollection services, string name)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(name);
        services.AddOptions();
        services.TryAddKeyedSingleton(name, (provider, _) => new NamedClient(
            name, provider, provider.GetRequiredService<IOptionsFactory<TransferClientSettings>>(),
            provider.GetServices<IOptionsChangeTokenSource<TransferClientSettings>>(),
            provider.GetRequiredService<IOptionsMonitor<ClientRecipe>>(), provider.GetService<ILoggerFactory>()));
        services.TryAddKeyedSingleton(name, (provider, _) => provider.GetRequiredKeyedService<NamedClient>(name).Client);
        return new TransferClientBuilder(services, name);
    }
}
