using System.Globalization;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Ftp.Described;

/// <summary>Listings in the forms of systems that are no Unix: see docs/listings.md.</summary>
internal static class ServerListings
{
    /// <summary>IIS's own form: month first, the hour in halves of the day.</summary>
    public static string Windows(OddServer server, string folder) => Lines(server, folder, static (name, content, time) =>
    {
        var size = content?.Length.ToString(CultureInfo.InvariantCulture).PadLeft(20) ?? "      <DIR>         ";
        return $"{In(time, "MM-dd-yy  hh:mmtt")} {size} {name}";
    });

    /// <summary>Blocks of 512 bytes, used and allocated, behind a name with its version.</summary>
    public static string Vms(OddServer server, string folder) =>
        "\r\nDirectory DISK$USER:[USER]\r\n\r\n" + Lines(server, folder, static (name, content, time) =>
        {
            var blocks = ((content?.Length ?? 512) + 511) / 512;
            var file = content is null ? $"{name}.DIR;1" : $"{name};1";
            return $"{file,-20} {blocks}/{blocks + 2}  {In(time, "d-MMM-yyyy HH:mm:ss").ToUpperInvariant()}  [USER]  (RWED,RWED,RE,)";
        }) + "\r\nTotal of 3 files, 3/9 blocks.\r\n";

    /// <summary>Data sets of a prefix, or members of a partitioned data set.</summary>
    public static string Mvs(OddServer server, string folder) => folder == "/home"
        ? "Volume Unit    Referred Ext Used Recfm Lrecl BlkSz Dsorg Dsname\r\n" + Lines(server, folder, static (name, content, time) =>
            $"VOL001 3390   {In(time, "yyyy/MM/dd")}  1   15  VB    4096 27998  {(content is null ? "PO" : "PS")}  {name}")
        : " Name     VV.MM   Created       Changed      Size  Init   Mod   Id\r\n" + Lines(server, folder, static (name, _, time) =>
            $"{name,-8}  01.00 {In(time, "yyyy/MM/dd")} {In(time, "yyyy/MM/dd HH:mm")}    10    10     0 USER");

    private static string Lines(OddServer server, string folder, Func<string, byte[]?, DateTimeOffset, string> line) =>
        string.Concat(server.Entries(folder).Select(
            entry => line(RemotePath.GetName(entry.Path), entry.Content, server.TimeOf(entry.Path)) + "\r\n"));

    private static string In(DateTimeOffset time, string form) => time.ToString(form, CultureInfo.InvariantCulture);
}
