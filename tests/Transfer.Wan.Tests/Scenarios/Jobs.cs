using System.Globalization;
using Transfer.Wan.Clients;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Tests.Scenarios;

/// <summary>Jobs for command lines that nobody runs.</summary>
internal static class Jobs
{
    public static ClientJob Of(Protocol protocol, bool isUpload, int files, string local = "/data/near files") => new()
    {
        Server = new ServerAccess
        {
            Name = "server",
            Protocol = protocol,
            Host = "10.77.0.2",
            Port = 2121,
            User = "tester",
            Password = "it's \"secret\"",
            Root = "/served",
            Home = protocol == Protocol.SFTP ? "/served" : string.Empty,
            Identity = "/keys/id",
            KnownHosts = "/keys/known",
        },
        IsUpload = isUpload,
        Local = local,
        Remote = "in",
        Names = [.. Enumerable.Range(0, files).Select(i => string.Create(CultureInfo.InvariantCulture, $"f{i}.bin"))],
        Scratch = "/scratch",
    };
}
