namespace Transfer.Fleet;

/// <summary>
/// Refuses changes that a page of another origin has asked a browser for (the Fetch standard's <c>Sec-Fetch-Site</c>, RFC 6454's
/// <c>Origin</c>), and lets the page load and run nothing but what this worker serves. Programs send neither header.
/// </summary>
/// <param name="next">The next step.</param>
internal sealed class SameOrigin(RequestDelegate next)
{
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'";

    public Task InvokeAsync(HttpContext context)
    {
        var headers = context.Response.Headers;
        (headers.ContentSecurityPolicy, headers.XContentTypeOptions, headers.CacheControl) = (Policy, "nosniff", "no-store");
        if (HttpMethods.IsGet(context.Request.Method) || HttpMethods.IsHead(context.Request.Method) || IsSame(context.Request))
            return next(context);
        context.Response.StatusCode = StatusCodes.Status403Forbidden;
        return context.Response.WriteAsync("A page of another origin changes nothing here.");
    }

    private static bool IsSame(HttpRequest request)
    {
        var origin = request.Headers.Origin.ToString();
        if (origin.Length > 0 && origin != $"{request.Scheme}://{request.Host}") return false;
        return request.Headers["Sec-Fetch-Site"].ToString() is "" or "same-origin" or "none";
    }
}
