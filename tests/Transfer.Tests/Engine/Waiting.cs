namespace Transfer.Tests.Engine;

internal static class Waiting
{
    // Not a measure of speed: what has not ended by then hangs.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    public static Task<T> Soon<T>(this Task<T> task) => task.WaitAsync(Patience);

    public static Task Soon(this Task task) => task.WaitAsync(Patience);

    public static Task Soon(this ValueTask task) => task.AsTask().WaitAsync(Patience);

    public static Task<T> Soon<T>(this ValueTask<T> task) => task.AsTask().WaitAsync(Patience);

    /// <summary>The exception a task ends with.</summary>
    public static async Task<T> Failure<T>(this Task task) where T : Exception
    {
        try
        {
            await task.Soon();
        }
        catch (T e)
        {
            return e;
        }
        throw new AssertionException($"No {typeof(T).Name} was thrown.");
    }

    public static async Task Until(Func<bool> condition)
    {
        var start = DateTime.UtcNow;
        while (!condition())
        {
            if (DateTime.UtcNow - start > Patience) throw new AssertionException("It did not come to that.");
            await Task.Delay(1);
        }
    }
}
