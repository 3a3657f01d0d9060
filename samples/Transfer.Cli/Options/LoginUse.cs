namespace Transfer.Cli.Options;

/// <summary>The protocols that an option of a log-in is for.</summary>
internal enum LoginUse
{
    All,
    Ftp,
    Ssh,
    Tls,
}
