using Transfer.Wan.Clients;

namespace Transfer.Wan.Runs;

/// <summary>A client's turn in a round.</summary>
internal sealed record Turn(int Round, WanClient Client, int Files);
