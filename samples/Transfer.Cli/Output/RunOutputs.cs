
namespace Transfer.Cli.Output;

/// <summary>The outputs of a run's items.</summary>
/// <param name="Items">All of them as one; null: there is none.</param>
/// <param name="Stream">The one of <c>--json=items</c>, which wants a summary too; null: not asked for.</param>
internal sealed record RunOutputs(IItemOutput? Items, ItemStream? Stream);
