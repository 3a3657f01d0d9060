using Transfer.Wan.Reports.Data;

namespace Transfer.Wan.Reports.Charts;

/// <summary>A bar of a chart.</summary>
/// <param name="Name">What is written beside it.</param>
/// <param name="IsOurs">Drawn in our colour.</param>
/// <param name="Value">Its length, with the range of the repeats; null: failed.</param>
/// <param name="Note">Written behind the figure: <c>extrapolated</c>.</param>
internal sealed record Bar(string Name, bool IsOurs, Summary? Value, string? Note = null);
