using Quartz;

namespace Transfer.Fleet;

/// <summary>A worker as the page shows it.</summary>
/// <param name="Name">The name.</param>
/// <param name="State">Whether the worker lives, by the rule of the recovery.</param>
/// <param name="IsCurrent">Whether this worker has answered.</param>
/// <param name="CheckedIn">The last check-in.</param>
/// <param name="Running">The steps that run.</param>
internal sealed record WorkerView(string Name, ClusterNodeState State, bool IsCurrent, DateTimeOffset? CheckedIn, int Running);
