using System.Text.RegularExpressions;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Described;

namespace Transfer.Tests.Ftp.Described;

/// <summary>FTP servers of systems that no test can run, after their documents.</summary>
internal static partial class FtpDescriptions
{
    // Members of a data set are named NAME(MEMBER), and the client sends NAME/MEMBER.
    private const string NoMember = "501 Invalid data set name";

    private const string User = "/~";
    private const string UserFolder = "/home";

    public static IReadOnlyDictionary<string, Description> All { get; } = new Dictionary<string, Description>
    {
        ["IIS"] = new(() => StartAsync(Iis(), string.Empty, string.Empty)),
        ["FileZilla Server"] = new(() => StartAsync(FileZilla(), string.Empty, string.Empty)),
        ["z/OS"] = new(() => StartAsync(Mvs(), User, UserFolder))
        {
            Suffix = string.Empty,
            Publish = PublishMode.Direct,
            Limits = new Dictionary<string, string>
            {
                ["put under a temporary name"] = "--publish direct",
                ["sync: the second moves nothing"] = NoMember,
                ["8 sessions"] = NoMember,
                ["rm -r"] = NoMember,
                ["ls"] = "no lengths",
                ["stat"] = "length is unknown",
                ["mv over"] = "the name already exists",
            },
        },
        ["OpenVMS"] = new(() => StartAsync(Vms(), User, UserFolder))
        {
            Limits = new Dictionary<string, string> { ["ls"] = "no lengths", ["stat"] = "length is unknown" },
        },
    };

    /// <summary>
    /// IIS 10, whose FTP service is 7.5 ("Changes in Microsoft FTP 7.5", and the FTP service's reference): names in any spelling, dir's
    /// listing, 125 before data, no MLSD, no MLST and no command that sets times; RNTO replaces nothing.
    /// </summary>
    private static OddServer Iis()
    {
        OddServer? server = null;
        return server = new OddServer
        {
            Greeting = "220 Microsoft FTP Service",
            Features = ["LANG EN*", "UTF8", "AUTH TLS;TLS-C;SSL;TLS-P;", "PBSZ", "PROT C;P;", "CCC", "HOST", "SIZE", "MDTM", "REST STREAM"],
            Opening = "125 Data connection already open; Transfer starting.",
            Closing = "226 Transfer complete.",
            TakenReply = "550 Cannot create a file when that file already exists.",
            Files = new(StringComparer.OrdinalIgnoreCase),
            KeepsTimes = true,
            Lines = (verb, folder) => verb == "LIST" ? ServerListings.Windows(server!, folder) : null,
            ListReply = folder => server!.Folders.ContainsKey(folder) ? null : "550 The system cannot find the file specified.",
            Reply = static (verb, _) => verb switch
            {
                "SYST" => "215 Windows_NT",
                "MLSD" or "MLST" or "MFMT" or "CLNT" => "500 Command not understood.",
                "SITE" => "500 'SITE': command not understood",
                _ => null,
            },
        };
    }

    /// <summary>
    /// FileZilla Server 1.9 (its source, for docs/internals/ladders.md): MLSD shows an empty folder as nothing at all, and several lines
    /// greet.
    /// </summary>
    private static OddServer FileZilla()
    {
        OddServer? server = null;
        return server = new OddServer
        {
            Greeting = "220-FileZilla Server 1.9.4\r\n220 Please visit https://filezilla-project.org/",
            Features =
            [
                "MDTM", "REST STREAM", "SIZE", "MLST type*;size*;modify*;perm*;", "MLSD", "AUTH SSL", "AUTH TLS", "PROT", "PBSZ", "UTF8",
                "TVFS", "EPSV", "EPRT", "MFMT"
            ],
            Opening = "150 About to start data transfer.",
            Closing = "226 Operation successful",
            KeepsTimes = true,
            ListReply = folder => server!.Folders.ContainsKey(folder) ? null : "550 Couldn't open the directory",
            Reply = static (verb, _) => verb switch
            {
                "SYST" => "215 UNIX emulated by FileZilla.",
                "SITE" => "504 Command not implemented for that parameter",
                _ => null,
            },
        };
    }

    /// <summary>
    /// z/OS V2R5 ("IP User's Guide and Commands", chapter 4, and FTP server replies in "IP and SNA Codes"), a user's data sets: a folder
    /// is a partitioned data set, CWD takes any prefix, DELE and RMD delete a data set with all its members, names are of eight letters
    /// and digits, no command has lengths or times, SITE takes any word, and transfers begin where they began.
    /// </summary>
    private static OddServer Mvs()
    {
        OddServer? server = null;
        server = new OddServer
        {
            Greeting = "220-FTPD1 IBM FTP CS V2R5 at HOST.\r\n220 Connection will close if idle for more than 5 minutes.",
            Home = ("257 \"'USER.'\" is working directory.", "'USER.'"),
            Opening = "125 Storing or sending a data set VARrecfm 4096",
            Closing = "250 Transfer completed successfully.",
            TakenReply = "550 Rename fails: the name already exists.",
            EntersAbsent = true,
            DeletesWhole = true,
            Read = static argument => argument.ToUpperInvariant(),
            Lines = (verb, folder) => verb == "LIST" ? ServerListings.Mvs(server!, folder) : null,
            ListReply = folder => server!.IsEmpty(folder) ? "550 No data sets found." : null,
            Reply = static (verb, argument) => verb switch
            {
                "SYST" => "215 MVS is the operating system of this server. FTP Server is running on z/OS.",
                "FEAT" => "211 no Extensions supported",
                "SITE" => "200 SITE command was accepted",
                "REST" => "504 Restart requires Block or Compressed transfer mode.",
                "STAT" => "504 STAT file-identifier: not implemented",
                "SIZE" or "MDTM" or "MLST" or "MLSD" or "MFMT" or "OPTS" or "CLNT" => $"500 unknown command {verb}",
                "STOR" or "RETR" or "DELE" or "MKD" or "RMD" or "RNFR" or "RNTO" when !DataSet().IsMatch(argument) =>
                    $"501 Invalid data set name \"{argument}\".  Use MVS Dsname conventions.",
                _ => null,
            },
        };
        server.Folders[UserFolder] = true;
        return server;
    }

    /// <summary>
    /// TCP/IP Services for OpenVMS 5.7 on an ODS-5 disk ("TCP/IP Services for OpenVMS User's Guide", FTP): capitals, types and versions of
    /// files, sizes in blocks, no FEAT, no EPSV, no SIZE and no times that can be set; a rename to a name that exists makes a new version.
    /// </summary>
    private static OddServer Vms()
    {
        OddServer? server = null;
        server = new OddServer
        {
            Greeting = "220 HOST FTP Server (Version 5.7) Ready.",
            Home = ("257 \"DISK$USER:[USER]\" is the current directory.", "DISK$USER:[USER]"),
            Opening = "150 Opening data connection.",
            Closing = "226 Transfer complete.",
            KeepsTimes = true,
            Read = static argument => argument.ToUpperInvariant(),
            Lines = (verb, folder) => verb == "LIST" ? ServerListings.Vms(server!, folder) : null,
            ListReply = folder => server!.IsEmpty(folder) ? "550 File not found." : null,
            Reply = static (verb, _) => verb switch
            {
                "SYST" => "215 VMS system type. VMS V8.4.",
                "FEAT" or "EPSV" or "SIZE" or "MDTM" or "MLST" or "MLSD" or "MFMT" or "OPTS" or "CLNT" or "REST" or "SITE" =>
                    "500 Unrecognized command.",
                _ => null,
            },
        };
        server.Folders[UserFolder] = true;
        return server;
    }

    private static Task<DescribedServer> StartAsync(OddServer server, string home, string root) =>
        Task.FromResult<DescribedServer>(new OddPlace(server, home, root));

    // Qualifiers, or a member's name.
    [GeneratedRegex(@"^[A-Z@#$][A-Z0-9@#$-]{0,7}(\.[A-Z@#$][A-Z0-9@#$-]{0,7})*$")]
    private static partial Regex DataSet();
}
