namespace Transfer.TestSupport;

/// <summary>Waits for tasks, with a limit for those that hang.</summary>
internal static class Waiting
{
    public static Task<T> Soon<T>(this Task<T> task) => task.WaitAsync(Eventually.Hang);

    public static Task Soon(this Task task) => task.WaitAsync(Eventually.Hang);

    public static Task Soon(this ValueTask task) => task.AsTask().WaitAsync(Eventually.Hang);

    public static Task<T> Soon<T>(this ValueTask<T> task) => task.AsTask().WaitAsync(Eventually.Hang);

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
}
