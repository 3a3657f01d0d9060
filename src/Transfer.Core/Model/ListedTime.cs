namespace Transfer;

/// <summary>The times in listings.</summary>
internal static class ListedTime
{
    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1);

    /// <summary>Whether a step is that of LIST's times: minutes or days, on a clock in a zone that the listing does not name.</summary>
    public static bool IsCoarse(TimeSpan step) => step >= Minute;
}
