namespace Transfer.Ftp.Listing;

/// <summary>The formats of LIST, in the order in which they are tried: the common and distinctive ones first.</summary>
internal enum ListFormat
{
    /// <summary>No line was recognised yet.</summary>
    Unknown,

    /// <summary><see cref="UnixFormat"/>.</summary>
    Unix,

    /// <summary><see cref="WindowsFormat"/>.</summary>
    Windows,

    /// <summary><see cref="EplfFormat"/>.</summary>
    Eplf,

    /// <summary><see cref="NetWareFormat"/>.</summary>
    NetWare,

    /// <summary><see cref="VmsFormat"/>.</summary>
    Vms,

    /// <summary><see cref="Os2Format"/>.</summary>
    Os2,

    /// <summary><see cref="IbmIFormat"/>.</summary>
    IbmI,

    /// <summary><see cref="MvsMemberFormat"/>.</summary>
    MvsMembers,

    /// <summary><see cref="MvsFormat"/>.</summary>
    Mvs,

    /// <summary><see cref="JesFormat"/>.</summary>
    Jes,

    /// <summary><see cref="NonStopFormat"/>.</summary>
    NonStop,

    /// <summary><see cref="ZVmFormat"/>.</summary>
    ZVm,

    /// <summary><see cref="VShellFormat"/>.</summary>
    VShell,

    /// <summary><see cref="Os9Format"/>.</summary>
    Os9,

    /// <summary><see cref="RouterFormat"/>.</summary>
    Router,

    /// <summary><see cref="NumericUnixFormat"/>.</summary>
    NumericUnix,
}
