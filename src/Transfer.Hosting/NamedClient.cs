using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Transfer.Companions;
using Transfer.Diagnostics;
using Transfer.Sftp;

namespace Transfer.Hosting;

/// <summary>
/// The client of a name. Changed settings make a new client for all later operations; those under way end on the old client. Its sessions
/// close after an idle <see cref="TransferClientOptions.SessionLifetime"/>. Invalid settings are logged, and the old ones hold.
/// </summary>
internal sealed class NamedClient : IDisposable
{
    private readonly string _name;
    private readonly IServiceProvider _services;
    private readonly IOptionsMonitor<ClientRecipe> _recipes;
    private readonly ILogger _logger;
    private readonly IDisposable? _changes;
    private readonly Lock _gate = new();
    private readonly List<WeakReference<TransferClient>> _earlier = [];
    private readonly ConditionalWeakTable<TransferClient, IReadOnlyList<SshIdentity>> _keys = [];
    private TransferClient _current;
    private bool _disposed;

    public NamedClient(string name, IServiceProvider services, IOptionsMonitor<TransferClientSettings> settings,
        IOptionsMonitor<ClientRecipe> recipes, ILoggerFactory? loggers)
    {
        _name = name;
        _services = services;
        _recipes = recipes;
        _logger = PrintableLogger.Create(loggers, "Transfer.Hosting");
        _current = Create(settings.Get(name));
        _changes = settings.OnChange((changed, which) =>
        {
            if (which == name) Replace(changed);
        });
        Client = new ReloadableTransferClient(() => Volatile.Read(ref _current), CloseAsync);
    }

    /// <summary>The client for applications: always the same.</summary>
    public TransferClient Client { get; }

    /// <summary>Ends the watch for changes. The clients belong to <see cref="Client"/>, which the container disposes of itself.</summary>
    public void Dispose() => _changes?.Dispose();

    private TransferClient Create(TransferClientSettings settings)
    {
        var (client, keys) = _recipes.Get(_name).Create(_name, settings, _services);
        _keys.Add(client, keys);
        return client;
    }

    private void Replace(TransferClientSettings settings)
    {
        TransferClient? next;
        try
        {
            next = Create(settings);
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            Log.SettingsRefused(_logger, _name, e);
            return;
        }

        lock (_gate)
        {
            if (!_disposed)
            {
                _earlier.RemoveAll(client => !client.TryGetTarget(out _));
                _earlier.Add(new WeakReference<TransferClient>(_current));
                Volatile.Write(ref _current, next);
                next = null;
            }
        }

        if (next is null) Log.SettingsChanged(_logger, _name);
        else CloseAsync(next).AsTask().GetAwaiter().GetResult(); // it has never connected
    }

    private async ValueTask CloseAsync()
    {
        List<TransferClient> clients;
        lock (_gate)
        {
            if (_disposed) return;
            _disposed = true;
            clients = [_current];
            foreach (var earlier in _earlier)
            {
                if (earlier.TryGetTarget(out var client)) clients.Add(client);
            }
        }

        foreach (var client in clients) await CloseAsync(client).ConfigureAwait(false);
    }

    private async ValueTask CloseAsync(TransferClient client)
    {
        await client.DisposeAsync().ConfigureAwait(false);
        if (!_keys.TryGetValue(client, out var keys)) return;
        foreach (var key in keys) key.Dispose();
    }
}
