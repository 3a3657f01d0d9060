namespace Transfer;

/// <summary>The hash of a remote file, and the way in which it was computed.</summary>
/// <param name="Algorithm">The algorithm by the common name: <c>SHA-256</c>.</param>
/// <param name="Hash">Lower-case hex digits.</param>
/// <param name="Source">The origin: the server, a command on the server's host, or the content read here.</param>
public sealed record ComputedHash(string Algorithm, string Hash, HashSource Source);
