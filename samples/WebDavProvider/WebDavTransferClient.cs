using System.Net.Http.Headers;
using System.Text;
using Transfer;
using Transfer.Replacing;
using Transfer.Sessions;

namespace WebDavProvider;

/// <summary>Moves files to and from a WebDAV server (RFC 4918). Every job of <see cref="TransferClient"/> works over it.</summary>
public sealed class WebDavTransferClient : TransferClient
{
    private readonly HttpClient _http;
    private readonly ReplacementMemory _renames = new();

    /// <summary>Creates a client; nothing is connected yet.</summary>
    /// <exception cref="ArgumentException">The endpoint is no <c>http:</c> or <c>https:</c> URL.</exception>
    public WebDavTransferClient(Uri endpoint, TransferClientOptions? options = null)
        : base(endpoint, options)
    {
        if (Endpoint.Scheme is not ("http" or "https")) throw new ArgumentException("An http: or https: URL is needed.", nameof(endpoint));
        // A redirect could take the password, or an upload, to another place.
        var dial = Options.Dial;
        var handler = new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, ConnectTimeout = dial.ConnectTimeout };
        _http = new HttpClient(handler)
        {
            BaseAddress = new UriBuilder(Endpoint.Scheme, Endpoint.Host, Endpoint.Port).Uri,
            Timeout = Timeout.InfiniteTimeSpan, // a total; what counts is that something moves: IdleLimit
        };
        if (Credential is not { } user) return;
        var secret = Encoding.UTF8.GetBytes($"{user.UserName}:{user.Password}");
        _http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", Convert.ToBase64String(secret));
    }

    /// <inheritdoc/>
    protected override bool DividesUploads => false;

    /// <inheritdoc/>
    protected override async ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken)
    {
        var requests = new WebDavRequests(_http, Options);
        // Refused log-ins, and servers of other kinds, show here.
        using var answer = await requests.SendAsync(HttpMethod.Options, BasePath, null, cancellationToken);
        if (!answer.IsSuccessStatusCode) throw WebDavErrors.Of(answer, "OPTIONS", BasePath);
        if (!answer.Headers.Contains("DAV"))
            throw new TransferException(TransferError.Unsupported, $"{Endpoint.Host} does not speak WebDAV.");
        return new WebDavSession(requests, answer.Headers.Server.ToString(), _renames, Options.TimeProvider);
    }

    /// <inheritdoc/>
    protected override ValueTask CloseAsync()
    {
        _http.Dispose();
        return default;
    }
}
