namespace Transfer.Batch.Carriers.Direct;

/// <summary>How a direct job's secret is wrapped: by a key that both sides derive from the token.</summary>
internal static class DirectSealing
{
    /// <summary>The purpose of the key; see <see cref="BatchToken.DeriveKey"/>.</summary>
    public const string Purpose = "transfer direct 1 seal";
}
