using Transfer.Wan.Clients;
using Transfer.Wan.Runs;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Scenarios.Catalog;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Tests.Scenarios;

public sealed class TurnOrderTests
{
    private static IReadOnlyList<Turn> Turns(int rounds, params IReadOnlyList<ClientTurn> clients)
    {
        var scenario = SmallFiles.Row(200, Protocol.FTP, ServerNames.Vsftpd, isUpload: true, clients);
        return [.. TurnOrder.Of(scenario, rounds, [.. clients.Select(turn => (turn, ClientCatalog.Find(turn.Client)))])];
    }

    [Test]
    public void Each_client_has_one_turn_a_round_and_another_one_begins()
    {
        var turns = Turns(3, "transfer", "lftp", "curl");
        Assert.That(
            turns.Select(turn => $"{turn.Round} {turn.Client.Label}"),
            Is.EqualTo(new[] { "1 transfer", "1 lftp", "1 curl", "2 lftp", "2 curl", "2 transfer", "3 curl", "3 transfer", "3 lftp" }));
    }

    [Test]
    public void A_slow_client_stops_after_its_rounds_and_moves_fewer_files()
    {
        var turns = Turns(3, "transfer", new ClientTurn("lftp", Files: 20, Rounds: 1));
        Assert.That(turns.Count(turn => turn.Client.Label == "lftp"), Is.EqualTo(1));
        Assert.That(turns.Select(turn => (turn.Client.Label, turn.Files)),
            Is.EquivalentTo(new[] { ("transfer", 200), ("transfer", 200), ("transfer", 200), ("lftp", 20) }));
    }
}
