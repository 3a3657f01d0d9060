namespace Transfer.PowerShell.Entries;

/// <summary>A file's hash, with the members of Get-FileHash's.</summary>
/// <param name="Algorithm">The algorithm's name, such as SHA256.</param>
/// <param name="Hash">Upper-case hexadecimal digits.</param>
/// <param name="Path">The file's path at the server.</param>
/// <param name="ByServer">Whether the server has computed the hash; false: the content was read.</param>
public sealed record RemoteFileHash(string Algorithm, string Hash, string Path, bool ByServer);
