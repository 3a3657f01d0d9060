using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Servers that differ from the usual, by ability.</summary>
internal static class LadderRows
{
    private static readonly string[] Modern = ["EPSV", "SIZE", "MDTM", "MFMT", "MLST type*;size*;modify*;", "MLSD"];

    public static Dictionary<string, LadderRow> Commands { get; } = new()
    {
        ["one command a read"] = new(() => new OddServer { ReadsOneCommand = true }, "a1=1,a12=1", "USER*2 PASS*1", "USER*1 PASS*1"),
        ["hung up on by a batch"] = new(() => new OddServer { HangsUpOnBatches = true }, "a1=1,a12=1", "USER*2", "USER*1"),
        ["a batch is refused"] = new(() => new OddServer { BatchReply = "500 what?" }, "a1=1,a12=1", "USER*2 PASS*1", "USER*1 PASS*1"),
        ["a batch is taken for a name"] = new(() => new OddServer { BatchReply = "530 no such user" }, "a1=1,a12=1", "USER*2", "USER*1"),
        ["OPTS is not answered"] = Silent("OPTS", 16),
        ["SYST is not answered"] = Silent("SYST", 17),
        ["FEAT is not answered"] = Silent("FEAT", 18),
        ["PWD is not answered"] = Silent("PWD", 19),
    };

    public static Dictionary<string, LadderRow> DataPorts { get; } = new()
    {
        ["EPSV is refused for a while"] = new(() => new OddServer { Reply = (verb, _) => verb == "EPSV" ? "425 not now" : null },
            "a2=1,a12=1", "EPSV*1 PASV*2", "EPSV*0 PASV*1"),
        ["EPSV gets an answer to something else"] = new(() => new OddServer { Reply = (verb, _) => verb == "EPSV" ? "200 fine" : null },
            "a2=1,a12=1", "EPSV*1 PASV*2", "EPSV*0 PASV*1"),
        ["EPSV's connections do not reach the server"] = new(() => new OddServer { HasStrayEpsv = true },
            "a2=1,a12=1", "EPSV*1 PASV*2", "EPSV*0 PASV*1"),
        ["EPSV's port is dead"] = new(() => new OddServer { HasDeadEpsv = true }, "a2=1,a12=1", "USER*1 EPSV*1 PASV*2", "EPSV*0 PASV*1"),
        ["EPSV is refused"] = new(() => new OddServer { Reply = (verb, _) => verb == "EPSV" ? "500 what?" : null },
            "a2=1,a12=1", "EPSV*1 PASV*2", "EPSV*0 PASV*1"),
        ["EPSV names no port"] = new(() => new OddServer { Reply = (verb, _) => verb == "EPSV" ? "229 here" : null },
            "a2=1,a12=1", "EPSV*1", "EPSV*0 PASV*1"),
    };

    public static Dictionary<string, LadderRow> Listings { get; } = new()
    {
        ["MLSD is announced and refused"] = new(
            () => new OddServer { Features = ["EPSV", "MLSD"], Reply = (verb, _) => verb == "MLSD" ? "501 bad arguments" : null },
            "a5=2,a12=1", "MLSD*2 LIST*2", "MLSD*0 LIST*1"),
        ["MLSD is refused as if all folders were absent"] = new(
            () => new OddServer { Features = ["EPSV", "MLSD"], Reply = (verb, _) => verb == "MLSD" ? "550 nothing here" : null },
            "a5=2,a12=1", "MLSD*1 LIST*2", "MLSD*0 LIST*1"),
        ["MLSD is forbidden by a code of the server's own"] = new(
            () => new OddServer { Features = ["EPSV", "MLSD"], Reply = (verb, _) => verb == "MLSD" ? "553 forbidden" : null },
            "a5=2,a12=1", "MLSD*2 LIST*2", "MLSD*0 LIST*1"),
        ["MLSD takes no path"] = new(
            () => new OddServer
            {
                Features = ["EPSV", "MLSD"],
                Reply = (verb, path) => verb == "MLSD" && path.Length > 0 ? "501 bad arguments" : null
            }, "a5=1", "MLSD*2 LIST*0",
            "CWD*1 MLSD*1 LIST*0"),
        ["MLSD shows nothing"] = new(
            () => new OddServer { Features = ["EPSV", "MLSD"], Lines = (verb, _) => verb == "MLSD" ? "" : null },
            "a5=2,a12=1", "MLSD*2 LIST*4", "MLSD*0 LIST*1"),
        ["MLSD is superfluous"] = new(
            () => new OddServer { Features = ["EPSV", "MLSD"], Reply = (verb, _) => verb == "MLSD" ? "202 superfluous" : null },
            "a5=2,a12=1", "MLSD*2 LIST*2", "MLSD*0 LIST*1"),
        ["LIST is refused"] = new(
            () => new OddServer { Reply = (verb, _) => verb == "LIST" ? "502 no" : null }, "a5=3", "LIST*1 NLST*1 SIZE*1",
            "LIST*0 NLST*1", 1),
        ["MLSD and LIST are refused"] = new(
            () => new OddServer { Features = ["EPSV", "MLSD"], Reply = (verb, _) => verb is "MLSD" or "LIST" ? "500 no" : null }, "a5=3",
            "MLSD*2 LIST*1 NLST*1", "MLSD*0 LIST*0 NLST*1"),
        ["MLSD is not answered"] = new(
            () => new OddServer { Features = ["EPSV", "MLSD"], Reply = (verb, _) => verb == "MLSD" ? "" : null }, "a5=2,a12=1",
            "USER*2 MLSD*1 LIST*2", "USER*1 MLSD*0 LIST*1"),
        ["LIST takes -a for a path"] = new(
            () => new OddServer
            {
                Reply = (verb, path) => verb == "LIST" && path.EndsWith("-a", StringComparison.Ordinal) ? "550 no such name" : null
            },
            "a12=2", "LIST*2", "LIST*1"),
    };

    public static Dictionary<string, LadderRow> Descriptions { get; } = new()
    {
        ["MLST is announced and refused"] = Described("500 what?", "MLST*2 SIZE*1"),
        ["MLST is refused by a code of files"] = Described("504 not that", "MLST*2 SIZE*1"),
        ["MLST describes nothing"] = Described("250 fine", "MLST*2 SIZE*1"),
        ["MLST is not answered"] = Described("", "MLST*2 SIZE*1"),
        ["MLST describes no files"] = Described("550 no such name", "MLST*2 SIZE*1", path => path == "/d/a"),
        ["MLST describes no folders"] = Described("550 no such name", "MLST*4 SIZE*1", path => path is "/" or "/d") with
        {
            Second = "MLST*0 SIZE*2",
            Act = async client =>
            {
                Assert.That((await client.GetEntryAsync("/d/a"))?.Length, Is.EqualTo(3));
                Assert.That((await client.GetEntryAsync("/d"))?.Type, Is.EqualTo(RemoteEntryType.Directory));
            },
        },
    };

    public static Dictionary<string, LadderRow> Renames { get; } = new()
    {
        ["RNFR is not answered"] = Renamed(
            () => new OddServer { Reply = (verb, _) => verb == "RNFR" ? "" : null }, "a1=1", "RNFR*3"),
        ["RNFR is the end of all answers"] = Renamed(() => new OddServer { HangsAt = "RNFR" }, "", "RNFR*2"),
    };

    public static Dictionary<string, LadderRow> Attributes { get; } = new()
    {
        // The look behind the command has no reply then: the second attempt, command by command, finds out of which it is the lack.
        ["MFMT is not answered"] = Put("MFMT", "", "a14=1", "MFMT*2", 2),
        ["SITE UTIME is refused"] = Put("SITE", "502 no", "a8=1", "SITE*1", features: "EPSV"),
        ["SITE UTIME is not answered"] = Put("SITE", "", "a14=1", "SITE*2", 2, "EPSV"),
        ["SITE CHMOD is refused"] = Put("SITE", "504 not that", "a9=1", "SITE*1"),
        ["SITE CHMOD is not answered"] = Put("SITE", "", "a9=1", "SITE*1", 2),
    };

    public static Dictionary<string, LadderRow> Transfers { get; } = new()
    {
        ["STOR waits for its connection"] = new(() => new OddServer { WaitsForConnections = true }, "a10=1", "STOR*2", "STOR*1")
        {
            Act = client => client.UploadAsync(new MemoryStream([1]), "/new", new() { Overwrite = OverwriteMode.Always })
        },
    };

    public static Dictionary<string, LadderRow> Names { get; } = new()
    {
        ["names end at a space"] = new(() => new OddServer { Read = path => path.Split(' ')[0] }, "a13=2", "CWD*1 PWD*2 MKD*0",
            "CWD*0 MKD*0")
        {
            Act = client => RefusesAsync(client, "/d e")
        },
        ["names lose the spaces at their end"] = new(() => new OddServer { Read = path => path.TrimEnd(' ') }, "a13=1", "CWD*2 MKD*0",
            "CWD*0 MKD*0")
        {
            Act = client => RefusesAsync(client, "/d ")
        },
    };

    private static LadderRow Silent(string verb, int ability) => new(
        () => new OddServer { Reply = (asked, _) => asked == verb ? "" : null }, $"a1=1,a12=1,a{ability}=1", $"{verb}*2 USER*3",
        $"{verb}*0 USER*1");

    // That nothing is renamed is not remembered for other processes.
    private static LadderRow Renamed(Func<OddServer> start, string remembered, string first) => new(
        start, remembered, first, "RNFR*0 STOR*2", 1)
    {
        Act = client => PutAsync(client, preservesMode: false, $"/{Guid.NewGuid():N}"),
    };

    private static LadderRow Described(string reply, string first, Func<string, bool>? isMeant = null) => new(
        () => new OddServer
        {
            Features = Modern,
            Reply = (verb, path) => verb == "MLST" && isMeant?.Invoke(path) != false ? reply : null
        }, "a4=1", first, "MLST*0 SIZE*1")
    {
        Act = async client => Assert.That((await client.GetEntryAsync("/d/a"))?.Length, Is.EqualTo(3)),
    };

    private static LadderRow Put(
        string verb, string reply, string remembered, string first, int lines = 1, params string[] features) => new(
        () => new OddServer
        {
            Features = features.Length > 0 ? features : Modern,
            KeepsTimes = true,
            Reply = (asked, argument) => asked == verb && (verb != "SITE" || IsOf(argument, remembered)) ? reply : null,
        }, remembered, first, $"{verb}*0", lines)
        {
            Act = client => PutAsync(client, preservesMode: remembered == "a9=1"),
        };

    private static bool IsOf(string argument, string remembered) =>
        argument.StartsWith("CHMOD", StringComparison.Ordinal) == (remembered == "a9=1");

    private static async Task PutAsync(FtpTransferClient client, bool preservesMode, string path = "/new")
    {
        using var folder = new TempFolder();
        var options = new UploadOptions { Overwrite = OverwriteMode.Always, PreserveMode = preservesMode };
        await client.UploadFileAsync(folder.Add("new", [1, 2, 3]), path, options);
    }

    private static async Task RefusesAsync(FtpTransferClient client, string path)
    {
        var error = await FtpHarness.FailsAsync(() => client.CreateDirectoryAsync(path).AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
    }
}
