using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Transfer.Companions;
using Transfer.Diagnostics;
using Transfer.Sftp;

namespace Transfer.Hosting;

/// <summary>
/// The client that has a name. Settings that change make a new one for all that begins from then on; what is under way ends on the old one, whose sessions close when they have been idle for
/// <see cref="TransferClientOptions.SessionLifetime"/>. Settings of which no client can be made are logged, and the old ones hold.
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

    public NamedClient(string name, IServiceProvider services, IOptionsMonitor<TransferClientSettings> settings, IOptionsMonitor<ClientRecipe> recipes, ILoggerFactory? loggers)
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

    /// <summary>What applications get: always the same.</summary>
    public TransferClient Client { get; }

    /// <summary>Hears of no more changes. The clients are <see cref="Client"/>'s to close, which the container disposes of itself.</summary>
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
