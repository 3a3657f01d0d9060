using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>The facts that a server gave during the log-in.</summary>
internal sealed class FtpServerProfile
{
    public FtpServerProfile(FtpReply greeting, FtpFeatureSet features, string? home, FtpReply system)
    {
        Banner = greeting.Text.Trim();
        Features = features;
        Home = home;
        System = system.Code == 215 ? system.Text.Trim() : null;
        Flavor = Recognise(greeting, features);
        HashCommands = FtpHashCommands.From(features);
    }

    public string Banner { get; }

    /// <summary>The operating system in the reply to SYST (RFC 959 section 4.1.3), or null.</summary>
    public string? System { get; }

    public FtpFeatureSet Features { get; }

    public FtpFlavor Flavor { get; }

    /// <summary>The log-in folder in the reply to PWD, in the server's form; null: the server does not name one.</summary>
    public string? Home { get; }

    /// <summary>Whether the log-in folder is no path with slashes, so that names in it are sent relative to it.</summary>
    public bool HasRelativeNames => Home is not null && !FtpHome.IsSlashPath(Home);

    /// <summary>
    /// Whether folders are prefixes of names, as z/OS's <c>'USER.'</c>: CWD enters any, and RMD deletes a data set with all its members.
    /// </summary>
    public bool HasPrefixesForFolders => Home is not null && Home.StartsWith('\'');

    public IReadOnlyDictionary<string, string> HashCommands { get; }

    public bool Mlst => Features.Has("MLST") || Features.Has("MLSD");

    /// <summary>
    /// Whether PRET must announce the transfer before the data connection: distributed servers choose the node by that (drftpd). Pure-FTPd
    /// offers PRET too, but only for the sake of clients.
    /// </summary>
    public bool WantsPret => Features.Has("PRET") && Flavor != FtpFlavor.PureFtpd;

    /// <summary>
    /// Whether ABOR ends a download. When the data connection is reset, Pure-FTPd sends a second 150 and nothing more; to ABOR over an open
    /// connection the replies are right, 426 and 226. Pure-FTPd looks for commands only between two writes of some 64 KiB, so the bytes
    /// sent have to be read until then.
    /// </summary>
    public bool EndsByAbor => Flavor == FtpFlavor.PureFtpd;

    public bool RestStream => Features.Has("REST", "STREAM") || Features.Has("REST");

    /// <summary>Whether FEAT lists EPSV, so that the transfer's command may follow in the same write.</summary>
    public bool Epsv => Features.Has("EPSV");

    /// <summary>Whether <c>MDTM time name</c> sets times, an extension of vsftpd and Serv-U that is older than MFMT.</summary>
    public bool MdtmSets => Flavor == FtpFlavor.Vsftpd
        || (Features.TryGet("MDTM", out var form) && form.Contains("YYYYMMDD", StringComparison.OrdinalIgnoreCase));

    /// <summary>
    /// Whether LIST needs <c>-a</c> to show hidden entries: servers that run or imitate ls do; the rest take <c>-a</c> for a name.
    /// </summary>
    public bool ListTakesOptions => Flavor is FtpFlavor.Vsftpd or FtpFlavor.ProFtpd or FtpFlavor.PureFtpd;

    /// <summary>
    /// Whether a size in MLST and MLSD distinguishes a link from a directory: ProFTPD gives a link one and a directory none, whichever type
    /// is shown.
    /// </summary>
    public bool SizesTellLinks => Mlst && Flavor == FtpFlavor.ProFtpd && Announces("size*");

    /// <summary>Whether PWD shows the path on the disk, as getcwd gives it, and not the one that CWD was given.</summary>
    public bool PrintsCanonicalPaths => Flavor is FtpFlavor.PureFtpd or FtpFlavor.Vsftpd;

    /// <summary>
    /// Whether an unusual build of the server prints the path that CWD was given: pure-ftpd-virtualchroot. Then the first column has to
    /// confirm a directory.
    /// </summary>
    public bool MayPrintGivenPaths => Flavor == FtpFlavor.PureFtpd;

    /// <summary>Whether PWD doubles quotes in the path (RFC 959 appendix II).</summary>
    public bool DoublesQuotes => Flavor != FtpFlavor.PureFtpd;

    /// <summary>Whether FEAT names a fact of MLST, with <c>*</c> behind where sent by default (RFC 3659 section 7.8).</summary>
    public bool Announces(string fact) =>
        Features.TryGet("MLST", out var facts) && facts.Contains(fact, StringComparison.OrdinalIgnoreCase);

    /// <summary>Recognises the software by the greeting, else by features that only one server has.</summary>
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
        if (features.TryGet("MFF", out var facts) && facts.Contains("UNIX.group", StringComparison.OrdinalIgnoreCase))
            return FtpFlavor.ProFtpd;
        return FtpFlavor.Unknown;
    }
}
