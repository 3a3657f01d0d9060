namespace Transfer;

/// <summary>Makes clients for any URL whose scheme one of the providers serves.</summary>
public sealed class TransferClientFactory
{
    private readonly Dictionary<string, ITransferProvider> _byScheme = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Creates a factory. When two providers serve a scheme, the later one wins.</summary>
    public TransferClientFactory(IEnumerable<ITransferProvider> providers)
    {
        ArgumentNullException.ThrowIfNull(providers);
        foreach (var (scheme, provider) in providers.SelectMany(p => p.Schemes.Select(s => (s, p)))) _byScheme[scheme] = provider;
    }

    /// <summary>The schemes served.</summary>
    public IReadOnlyCollection<string> Schemes => _byScheme.Keys;

    /// <summary>Makes a client; nothing is connected yet.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: no provider serves the scheme.</exception>
    public TransferClient Create(Uri endpoint, TransferClientOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        if (!endpoint.IsAbsoluteUri) throw new ArgumentException("The endpoint must be an absolute URL.", nameof(endpoint));
        if (_byScheme.TryGetValue(endpoint.Scheme, out var provider)) return provider.Create(endpoint, options);
        var known = string.Join(", ", _byScheme.Keys.Order(StringComparer.Ordinal));
        throw new TransferException(TransferError.Unsupported, $"No provider serves {endpoint.Scheme}: URLs; those that are: {known}.");
    }
}
