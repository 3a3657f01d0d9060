using Transfer.Wan.Clients;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>
/// The cmdlets: a pipeline of small files beside the folder, and beside a library that sends one after the other, as modules over it do.
/// </summary>
internal static class Cmdlets
{
    public static WanReport Report { get; } = new()
    {
        Name = "cmdlets",
        Full = [Row(200, 3, new ClientTurn("SSH.NET", Rounds: 1))],
        Quick = [Row(50, 1, new ClientTurn("SSH.NET", 10))],
    };

    private static Scenario Row(int files, int rounds, ClientTurn oneByOne) =>
        SmallFiles.Row(files, Protocol.SFTP, ServerNames.OpenSsh, isUpload: true, PwshClient.Name, PwshClient.Pipeline, PwshClient.Folder,
            "transfer", oneByOne) with
        { Rounds = rounds };
}
