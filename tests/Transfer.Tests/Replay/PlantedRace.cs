namespace Transfer.Tests.Replay;

/// <summary>
/// Faults that are planted, to see that the machine finds them: an update that is lost if two tasks meet, and a wake-up that is lost if
/// the waiter is late.
/// </summary>
internal static class PlantedRace
{
    /// <summary>Whether an order of the work loses one of two updates.</summary>
    public static bool LosesUpdate(ControlledPool pool, IWorkOrder order)
    {
        var count = 0;
        var machine = new ReplayMachine(pool, new VirtualTime());
        machine.Run(() => Task.WhenAll(Task.Run(AddAsync), Task.Run(AddAsync)), order, static () => false);
        return count != 2;

        async Task AddAsync()
        {
            var seen = count;
            await Task.Yield();
            count = seen + 1;
        }
    }

    /// <summary>Whether an order of the work loses a wake-up, which the machine tells by an exception.</summary>
    public static bool LosesWakeUp(ControlledPool pool, IWorkOrder order)
    {
        TaskCompletionSource? waiter = null;
        try
        {
            var machine = new ReplayMachine(pool, new VirtualTime());
            machine.Run(() => Task.WhenAll(Task.Run(WaitAsync), Task.Run(Wake)), order, static () => false);
            return false;
        }
        catch (ReplayException)
        {
            return true;
        }

        async Task WaitAsync() => await (waiter = new(TaskCreationOptions.RunContinuationsAsynchronously)).Task.ConfigureAwait(false);

        // Whoever is not there yet is never woken.
        void Wake() => waiter?.SetResult();
    }
}
