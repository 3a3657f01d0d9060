namespace Transfer.Testing;

/// <summary>A direction through a <see cref="TestLink"/>.</summary>
public enum LinkDirection
{
    /// <summary>From the connecting side to the target.</summary>
    Forward,

    /// <summary>From the target to the connecting side.</summary>
    Back,
}
