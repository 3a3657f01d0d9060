using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>What one server said of itself during the log-in.</summary>
internal sealed class FtpServerProfile
{
    public FtpServerProfile(FtpReply greeting, FtpFeatureSet features, string home, FtpReply system)
    {
        Banner = greeting.Text.Trim();
        Features = features;
        Home = home;
        System = system.Code == 215 ? system.Text.Trim() : null;
        Flavor = Recognise(greeting, features);
        HashCommands = FtpHashCommands.From(features);
    }

    public string Banner { get; }

    /// <summary>The operating system as SYST named it (RFC 959 section 4.1.3), or null.</summary>
    public string? System { get; }

    public FtpFeatureSet Features { get; }

    public FtpFlavor Flavor { get; }

    /// <summary>The log-in folder as PWD gave it, absolute.</summary>
    public string Home { get; }

    public IReadOnlyDictionary<string, string> HashCommands { get; }

    public bool Mlst => Features.Has("MLST") || Features.Has("MLSD");

    /// <summary>
    /// The data connection is announced by what it will be for (PRET): distributed servers choose the node by it (drftpd). Pure-FTPd announces it too, and takes it
    /// for the sake of clients only.
    /// </summary>
    public bool WantsPret => Features.Has("PRET") && Flavor != FtpFlavor.PureFtpd;

    /// <summary>
    /// A download is ended by ABOR. Pure-FTPd's answer to one whose data connection was reset is a second 150 and nothing more; ABOR it answers as it should, 426 and
    /// 226, while the connection is still there. It looks for commands between two writes of some 64 KiB only, so what it sends has to be taken off it until then.
    /// </summary>
    public bool EndsByAbor => Flavor == FtpFlavor.PureFtpd;

    public bool RestStream => Features.Has("REST", "STREAM") || Features.Has("REST");

    /// <summary>EPSV is announced, so that it may be sent with the transfer's command behind it at once.</summary>
    public bool Epsv => Features.Has("EPSV");

    /// <summary>vsftpd and Serv-U set times by <c>MDTM time name</c>, an extension older than MFMT.</summary>
    public bool MdtmSets => Flavor == FtpFlavor.Vsftpd
        || (Features.TryGet("MDTM", out var form) && form.Contains("YYYYMMDD", StringComparison.OrdinalIgnoreCase));

    /// <summary>The hidden entries of a LIST listing need <c>-a</c> on servers that run or imitate ls; others take it for a name.</summary>
    public bool ListTakesOptions => Flavor is FtpFlavor.Vsftpd or FtpFlavor.ProFtpd or FtpFlavor.PureFtpd;

    /// <summary>Tells the software by its greeting, else by features that only one has.</summary>
    public static FtpFlavor Recognise(FtpReply greeting, FtpFeatureSet features)
    {
        bool Says(string word) => greeting.Lines.Any(line => line.Contains(word, StringComparison.OrdinalIgnoreCase));
        if (Says("vsFTPd")) return FtpFlavor.Vsftpd;
        if (Says("ProFTPD")) return FtpFlavor.ProFtpd;
        if (Says("Pure-FTPd")) return FtpFlavor.PureFtpd;
        if (Says("FileZilla Server")) return FtpFlavor.FileZilla;
        if (Says("Transfer test server")) return FtpFlavor.Embedded;
        // Many sites hide the banner. ESTA and ESTP are Pure-FTPd's own, UNIX.group in MFF is ProFTPD's.
        if (features.Has("ESTA") && features.Has("ESTP")) return FtpFlavor.PureFtpd;
        if (features.TryGet("MFF", out var facts) && facts.Contains("UNIX.group", StringComparison.OrdinalIgnoreCase)) return FtpFlavor.ProFtpd;
        return FtpFlavor.Unknown;
    }
}
