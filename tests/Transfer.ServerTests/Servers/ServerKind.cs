namespace Transfer.ServerTests.Servers;

/// <summary>The servers tested against.</summary>
public enum ServerKind
{
    Vsftpd,
    Proftpd,
    PureFtpd,
}
