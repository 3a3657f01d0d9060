namespace Transfer.Wan.Scenarios;

/// <summary>A client's part in a scenario.</summary>
/// <param name="Client">The client's label.</param>
/// <param name="Files">The files that it moves where it is too slow for all; null: all.</param>
/// <param name="Rounds">The rounds in which it takes part where it is slow; null: all.</param>
internal sealed record ClientTurn(string Client, int? Files = null, int? Rounds = null)
{
    public static implicit operator ClientTurn(string client) => new(client);
}
