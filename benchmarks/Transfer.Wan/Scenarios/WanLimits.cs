namespace Transfer.Wan.Scenarios;

/// <summary>Bounds of every run.</summary>
internal static class WanLimits
{
    /// <summary>A turn that takes longer has failed.</summary>
    public static readonly TimeSpan Run = TimeSpan.FromMinutes(3);
}
