using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;
using Transfer.Companions;
using Transfer.Diagnostics;
using Transfer.Sftp;

namespace Transfer.Hosting;

/// <summary>
/// The client of a name. Changed settings make a new client for all later operations; those under way end on the old client. Its sessions
/// close after an idle <see cref="TransferClientOptions.SessionLifetime"/>. Invalid settings are logged, and the old ones hold: therefore
/// the settings come from the factory, since a monitor binds changed ones out of reach of this class.
/// </summary>
internal sealed class NamedClient : IDisposable
{
    private readonly string _name;
    private readonly IServiceProvider _services;
    private readonly IOptionsFactory<TransferClientSettings> _settings;
    private readonly IOptionsMonitor<ClientRecipe> _recipes;
    private readonly ILogger _logger;
    private readonly IDisposable[] _changes;
    private readonly Lock _replacing = new();
    private readonly Lock _gate = new();
    private readonly List<WeakReference<TransferClient>> _earlier = [];
    private readonly ConditionalWeakTable<TransferClient, IReadOnlyList<SshIdentity>> _keys = [];
    private TransferClient _current;
    private byte[] _digest;
    private bool _disposed;

    /// <param name="name">The name.</param>
    /// <param name="services">The container.</param>
    /// <param name="settings">Makes the settings of the name.</param>
    /// <param name="sources">Signal changes of settings.</param>
    /// <param name="recipes">The application's code for making clients.</param>
    /// <param name="loggers">The application's loggers; null: nothing is logged.</param>
    public NamedClient(string name, IServiceProvider services, IOptionsFactory<TransferClientSettings> settings,
        IEnumerable<IOptionsChangeTokenSource<TransferClientSettings>> sources, IOptionsMonitor<ClientRecipe> recipes,
        ILoggerFactory? loggers)
    {
        _name = name;
        _services = services;
        _settings = settings;
        _recipes = recipes;
        _logger = PrintableLogger.Create(loggers, "Transfer.Hosting");
        // Without a present client there is always a new one.
        var first = Create(present: null)!;
        (_current, _digest) = (first.Client, first.Digest);
        _changes = [.. sources.Where(source => source.Name is null || source.Name == name)
            .Select(source => ChangeToken.OnChange(source.GetChangeToken, Replace))];
        Client = new ReloadableTransferClient(() => Volatile.Read(ref _current), CloseAsync);
    }

    /// <summary>The client for applications: always the same.</summary>
    public TransferClient Client { get; }

    /// <summary>Ends the watch for changes. The clients belong to <see cref="Client"/>, which the container disposes of itself.</summary>
    public void Dispose()
    {
        foreach (var change in _changes) change.Dispose();
    }

    private MadeClient? Create(byte[]? present)
    {
        var made = _recipes.Get(_name).Create(_name, _settings.Create(_name), _services, present);
        if (made is not null) _keys.Add(made.Client, made.Keys);
        return made;
    }

    // One reload after another: of two at once, the one that read the older settings could install its client last.
    private void Replace()
    {
        lock (_replacing) ReplaceLocked();
    }

    private void ReplaceLocked()
    {
        TransferClient? next;
        try
        {
            if (Create(Volatile.Read(ref _digest)) is not { } made) return;
            next = made.Client;
            lock (_gate)
            {
                if (!_disposed)
                {
                    _earlier.RemoveAll(client => !client.TryGetTarget(out _));
                    _earlier.Add(new WeakReference<TransferClient>(_current));
                    Volatile.Write(ref _current, next);
                    Volatile.Write(ref _digest, made.Digest);
                    next = null;
                }
            }
        }
        catch (Exception e)
        {
            // Of any kind, since delegates of the application run too: thrown on, an exception would end in the configuration's reload.
            Log.SettingsRefused(_logger, _name, e);
            return;
        }

        if (next is null) Log.SettingsChanged(_logger, _name);
        else CloseAsync(next).AsTask().GetAwaiter().GetResult(); // never connected
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
