namespace Transfer.Tests.Replay;

/// <summary>Work that can run now.</summary>
/// <param name="Work">What the pool's queue had.</param>
/// <param name="Chain">The chain of continuations that it belongs to: the first work that a piece of work queues goes on with its chain,
/// any other begins one.</param>
internal readonly record struct ReadyWork(object Work, int Chain);
