using Transfer;

namespace WebDavProvider;

/// <summary>
/// Sends requests. A connection that fails is <see cref="TransferConnectionException"/>, which the engine takes for a session that was
/// lost.
/// </summary>
/// <param name="http">The client's connections.</param>
/// <param name="options">The client's options.</param>
internal sealed class WebDavRequests(HttpClient http, TransferClientOptions options)
{
    private volatile bool _isBroken;

    /// <summary>False when a request has failed without an answer.</summary>
    public bool Usable => !_isBroken;

    /// <summary>A watch over a request and its body.</summary>
    public IdleLimit Limit(CancellationToken ct) => new(options.IdleTimeout, options.TimeProvider, ct);

    /// <summary>Sends a request, and gives the answer when its head is there; whatever its status.</summary>
    public async Task<HttpResponseMessage> SendAsync(HttpMethod method, string path, Action<HttpRequestMessage>? add, CancellationToken ct)
    {
        using var limit = Limit(ct);
        return await SendAsync(method, path, add, limit, ct);
    }

    /// <summary>The same within a watch that goes on over the body.</summary>
    public Task<HttpResponseMessage> SendAsync(HttpMethod method, string path, Action<HttpRequestMessage>? add, IdleLimit limit,
        CancellationToken ct) =>
        GuardAsync($"{method} {path}", async () =>
        {
            using var request = new HttpRequestMessage(method, UrlOf(path));
            add?.Invoke(request);
            return await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, limit.Token);
        }, ct);

    /// <summary>Runs a part of an exchange.</summary>
    public async Task<T> GuardAsync<T>(string what, Func<Task<T>> exchange, CancellationToken ct)
    {
        try
        {
            return await exchange();
        }
        catch (OperationCanceledException e) when (!ct.IsCancellationRequested)
        {
            _isBroken = true;
            throw new TransferConnectionException(TransferError.Timeout,
                $"{what}: nothing moved for {options.IdleTimeout.TotalSeconds:0.###} s.", e);
        }
        catch (HttpRequestException e) when (e.InnerException is ContentFault fault)
        {
            // The local end has failed: that is no fault of the session's.
            throw fault;
        }
        catch (HttpRequestException e) when (e.HttpRequestError == HttpRequestError.SecureConnectionError)
        {
            _isBroken = true;
            throw new TransferConnectionException(TransferError.Tls, $"{what}: {e.Message}", e);
        }
        catch (Exception e) when (e is HttpRequestException || e is IOException and not (TransferException or ContentFault))
        {
            _isBroken = true;
            throw new TransferConnectionException($"{what}: {e.Message}", e);
        }
    }

    /// <summary>The absolute URL of a path, for a header.</summary>
    public string AbsoluteUrlOf(string path) => new Uri(http.BaseAddress!, UrlOf(path)).AbsoluteUri;

    /// <summary>A path as a URL has it, escaped.</summary>
    public static string UrlOf(string path) => string.Join('/', PathOf(path).Split('/').Select(Uri.EscapeDataString));

    /// <summary>A path as the server has it. WebDAV has no log-in folder: it is the root.</summary>
    public static string PathOf(string path)
    {
        if (path == RemotePath.Home) return "/";
        return path.StartsWith(RemotePath.Home + "/", StringComparison.Ordinal) ? path[RemotePath.Home.Length..] : path;
    }
}
