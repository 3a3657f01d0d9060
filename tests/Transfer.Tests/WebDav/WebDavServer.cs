using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security;
using System.Text;

namespace Transfer.Tests.WebDav;

/// <summary>A WebDAV server with its files in memory (RFC 4918 class 1, as far as a client of files needs it), on loopback.</summary>
internal sealed class WebDavServer : IAsyncDisposable
{
    public const string User = "user";
    public const string Password = "se cret";

    private readonly HttpListener _listener = new();
    private readonly Lock _gate = new();
    private readonly SortedDictionary<string, byte[]?> _files = new(StringComparer.Ordinal) { ["/"] = null }; // null: a folder
    private readonly Task _serving;

    public WebDavServer()
    {
        Uri = new Uri($"http://127.0.0.1:{FreePort()}/");
        _listener.Prefixes.Add(Uri.AbsoluteUri);
        _listener.Start();
        _serving = ServeAsync();
    }

    public Uri Uri { get; }

    /// <summary>Each request's method and path.</summary>
    public ConcurrentQueue<string> Log { get; } = new();

    /// <summary>The status that a request is refused with; null: it is not.</summary>
    public Func<string, string, HttpStatusCode?> Refuse { get; set; } = (_, _) => null;

    /// <summary>Bytes of the next download after which the connection is cut; 0: none is.</summary>
    public int CutAfter { get; set; }

    /// <summary>Requests are not answered.</summary>
    public bool IsSilent { get; set; }

    public bool IgnoresRanges { get; set; }

    /// <summary>What is answered to each PROPFIND in place of the truth; null: the truth.</summary>
    public string? Properties { get; set; }

    public IReadOnlyList<string> Paths
    {
        get
        {
            lock (_gate) return [.. _files.Keys.Where(path => path != "/")];
        }
    }

    public byte[]? this[string path]
    {
        get
        {
            lock (_gate) return _files.GetValueOrDefault(path);
        }
        set
        {
            lock (_gate) _files[path] = value;
        }
    }

    public async ValueTask DisposeAsync()
    {
        _listener.Close();
        await _serving;
    }

    private async Task ServeAsync()
    {
        while (_listener.IsListening)
        {
            try
            {
                _ = AnswerAsync(await _listener.GetContextAsync());
            }
            catch (Exception e) when (e is HttpListenerException or ObjectDisposedException)
            {
                return;
            }
        }
    }

    private async Task AnswerAsync(HttpListenerContext context)
    {
        try
        {
            var (request, response) = (context.Request, context.Response);
            var path = Uri.UnescapeDataString(request.RawUrl!);
            if (path.Length > 1) path = path.TrimEnd('/');
            Log.Enqueue($"{request.HttpMethod} {path}");
            using var body = new MemoryStream();
            await request.InputStream.CopyToAsync(body);
            if (IsSilent) return;
            response.StatusCode = (int)(Refuse(request.HttpMethod, path) ?? (IsAllowed(request)
                ? await HandleAsync(context, path, body.ToArray()) : HttpStatusCode.Unauthorized));
            response.Close();
        }
        catch (Exception e) when (e is HttpListenerException or ObjectDisposedException or IOException)
        {
            // The client or the test has gone.
        }
    }

    private static bool IsAllowed(HttpListenerRequest request) =>
        request.Headers["Authorization"] == "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes($"{User}:{Password}"));

    private Task<HttpStatusCode> HandleAsync(HttpListenerContext context, string path, byte[] body)
    {
        switch (context.Request.HttpMethod)
        {
            case "OPTIONS":
                context.Response.AddHeader("DAV", "1");
                return Task.FromResult(HttpStatusCode.OK);
            case "PROPFIND":
                return TellAsync(context, path);
            case "GET":
                return GetAsync(context, path);
            default:
                lock (_gate) return Task.FromResult(Change(context.Request, path, body));
        }
    }

    private HttpStatusCode Change(HttpListenerRequest request, string path, byte[] body)
    {
        switch (request.HttpMethod)
        {
            case "PUT":
                if (_files.TryGetValue(path, out var old) && (request.Headers["If-None-Match"] == "*" || old is null))
                    return HttpStatusCode.PreconditionFailed;
                if (!HasFolder(path)) return HttpStatusCode.Conflict;
                _files[path] = body;
                return HttpStatusCode.Created;
            case "MKCOL":
                if (_files.ContainsKey(path)) return HttpStatusCode.MethodNotAllowed;
                if (!HasFolder(path)) return HttpStatusCode.Conflict;
                _files[path] = null;
                return HttpStatusCode.Created;
            case "DELETE":
                return Remove(path) ? HttpStatusCode.NoContent : HttpStatusCode.NotFound;
            case "MOVE":
                var target = Uri.UnescapeDataString(new Uri(request.Headers["Destination"]!).AbsolutePath);
                if (!_files.ContainsKey(path)) return HttpStatusCode.NotFound;
                if (!HasFolder(target)) return HttpStatusCode.Conflict;
                if (_files.ContainsKey(target) && request.Headers["Overwrite"] == "F") return HttpStatusCode.PreconditionFailed;
                Remove(target);
                foreach (var (name, content) in Below(path))
                {
                    _files[target + name[path.Length..]] = content;
                    _files.Remove(name);
                }
                return HttpStatusCode.Created;
            default:
                return HttpStatusCode.MethodNotAllowed;
        }
    }

    private async Task<HttpStatusCode> TellAsync(HttpListenerContext context, string path)
    {
        var text = new StringBuilder("""<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">""");
        lock (_gate)
        {
            if (!_files.TryGetValue(path, out var own)) return HttpStatusCode.NotFound;
            Tell(text, path, own);
            if (context.Request.Headers["Depth"] == "1" && own is null)
            {
                foreach (var (name, content) in _files.Where(file => file.Key != "/" && RemotePath.GetParent(file.Key) == path))
                    Tell(text, name, content);
            }
        }
        context.Response.StatusCode = (int)HttpStatusCode.MultiStatus;
        await context.Response.OutputStream.WriteAsync(Encoding.UTF8.GetBytes(Properties ?? text.Append("</D:multistatus>").ToString()));
        return HttpStatusCode.MultiStatus;
    }

    private static void Tell(StringBuilder text, string path, byte[]? content)
    {
        var href = string.Join('/', path.Split('/').Select(Uri.EscapeDataString)) + (content is null && path != "/" ? "/" : "");
        var what = content is null ? "<D:resourcetype><D:collection/></D:resourcetype>"
            : $"<D:resourcetype/><D:getcontentlength>{content.Length}</D:getcontentlength>";
        text.Append(CultureInfo.InvariantCulture,
            $"<D:response><D:href>{SecurityElement.Escape(href)}</D:href><D:propstat><D:prop>{what}<D:getlastmodified>Thu, 29 Feb 2024 "
            + $"23:59:58 GMT</D:getlastmodified></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>");
    }

    private async Task<HttpStatusCode> GetAsync(HttpListenerContext context, string path)
    {
        if (this[path] is not { } content) return HttpStatusCode.NotFound;
        var (start, end, status) = (0, content.Length, HttpStatusCode.OK);
        if (!IgnoresRanges && context.Request.Headers["Range"] is { } range)
        {
            var parts = range["bytes=".Length..].Split('-');
            start = int.Parse(parts[0], CultureInfo.InvariantCulture);
            if (start >= content.Length) return HttpStatusCode.RequestedRangeNotSatisfiable;
            if (parts[1].Length > 0) end = Math.Min(end, int.Parse(parts[1], CultureInfo.InvariantCulture) + 1);
            context.Response.AddHeader("Content-Range", $"bytes {start}-{end - 1}/{content.Length}");
            status = HttpStatusCode.PartialContent;
        }
        context.Response.StatusCode = (int)status;
        context.Response.ContentLength64 = end - start;
        var cut = CutAfter;
        CutAfter = 0;
        await context.Response.OutputStream.WriteAsync(content.AsMemory(start, cut > 0 ? Math.Min(cut, end - start) : end - start));
        if (cut > 0)
        {
            await context.Response.OutputStream.FlushAsync();
            context.Response.Abort();
        }
        return status;
    }

    private bool HasFolder(string path) => _files.TryGetValue(RemotePath.GetParent(path)!, out var above) && above is null;

    private bool Remove(string path)
    {
        var all = Below(path);
        foreach (var (name, _) in all) _files.Remove(name);
        return all.Count > 0;
    }

    private List<KeyValuePair<string, byte[]?>> Below(string path) =>
        [.. _files.Where(file => file.Key == path || file.Key.StartsWith(path + "/", StringComparison.Ordinal))];

    private static int FreePort()
    {
        using var socket = new TcpListener(IPAddress.Loopback, 0);
        socket.Start();
        return ((IPEndPoint)socket.LocalEndpoint).Port;
    }
}
