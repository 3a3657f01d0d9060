using Transfer.Wan.Clients;
using Transfer.Wan.Scenarios;

namespace Transfer.Wan.Runs;

/// <summary>
/// Who comes when: in each round every client once, and in each round another one begins, so that none is always behind the same.
/// </summary>
internal static class TurnOrder
{
    public static IEnumerable<Turn> Of(Scenario scenario, int rounds, IReadOnlyList<(ClientTurn Turn, WanClient Client)> clients)
    {
        for (var round = 1; round <= rounds; round++)
        {
            for (var i = 0; i < clients.Count; i++)
            {
                var (turn, client) = clients[(i + round - 1) % clients.Count];
                if (round <= (turn.Rounds ?? rounds))
                    yield return new Turn(round, client, Math.Min(turn.Files ?? scenario.Files, scenario.Files));
            }
        }
    }
}
