namespace Transfer.ServerTests.Servers;

/// <summary>The certificate a server shows.</summary>
public enum ServerCertificate
{
    /// <summary>From the trusted authority, for localhost and the address of its place.</summary>
    Good,

    /// <summary>As good, but it ended yesterday.</summary>
    Expired,

    /// <summary>From an authority nobody trusts.</summary>
    Foreign,

    /// <summary>Signed by itself.</summary>
    SelfSigned,

    /// <summary>From the trusted authority, for another host.</summary>
    OtherName,
}
