using System.Net;
using Transfer;

namespace WebDavProvider;

/// <summary>Maps status codes (RFC 9110 section 15, RFC 4918 section 11) to errors. Reason phrases and bodies decide nothing.</summary>
internal static class WebDavErrors
{
    public static TransferException Of(HttpResponseMessage answer, string request, string path) => Of(answer.StatusCode, request, path);

    public static TransferException Of(HttpStatusCode status, string request, string path) =>
        new(KindOf(status), $"{request} {path}: status {(int)status}.")
        {
            RemotePath = path,
            ServerCode = (int)status,
            IsTransient = IsPassing(status),
        };

    private static bool IsPassing(HttpStatusCode status) => status is HttpStatusCode.Locked or HttpStatusCode.TooManyRequests
        or HttpStatusCode.BadGateway or HttpStatusCode.ServiceUnavailable;

    private static TransferError KindOf(HttpStatusCode status) => status switch
    {
        HttpStatusCode.Unauthorized or HttpStatusCode.ProxyAuthenticationRequired => TransferError.Auth,
        // 409: the collection above it is missing (RFC 4918 sections 9.3.1, 9.7.1 and 9.9.4).
        HttpStatusCode.NotFound or HttpStatusCode.Gone or HttpStatusCode.Conflict => TransferError.NotFound,
        HttpStatusCode.PreconditionFailed => TransferError.Exists,
        HttpStatusCode.InsufficientStorage or HttpStatusCode.RequestEntityTooLarge => TransferError.Quota,
        HttpStatusCode.NotImplemented or HttpStatusCode.MethodNotAllowed or (>= (HttpStatusCode)300 and < (HttpStatusCode)400) =>
            TransferError.Unsupported,
        >= (HttpStatusCode)500 => TransferError.Unknown,
        _ => TransferError.Denied,
    };
}
