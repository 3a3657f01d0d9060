namespace Transfer;

/// <summary>The user information of an endpoint (RFC 3986 section 3.2.1): a secret is removed before the endpoint can be printed.</summary>
internal static class EndpointUser
{
    /// <summary>The log-in in the endpoint, or null.</summary>
    public static TransferCredential? GetCredential(Uri endpoint)
    {
        if (endpoint.UserInfo.Length == 0) return null;
        var parts = endpoint.UserInfo.Split(':', 2);
        return new TransferCredential(Uri.UnescapeDataString(parts[0]),
            parts.Length == 2 ? Uri.UnescapeDataString(parts[1]) : string.Empty);
    }

    /// <summary>The same URL with the user's name at most.</summary>
    public static Uri WithoutPassword(Uri endpoint) =>
        endpoint.UserInfo.Contains(':') ? new UriBuilder(endpoint) { Password = string.Empty }.Uri : endpoint;
}
