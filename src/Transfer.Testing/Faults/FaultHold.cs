namespace Transfer.Testing.Faults;

/// <summary>The faults that hold a command before its execution.</summary>
internal static class FaultHold
{
    public static Task WaitAsync(FaultRule rule, TimeProvider time, CancellationToken ct) => rule.Action switch
    {
        DelayFault delay => Task.Delay(delay.Delay, time, ct),
        _ => rule.Handle.Released.WaitAsync(ct),
    };
}
