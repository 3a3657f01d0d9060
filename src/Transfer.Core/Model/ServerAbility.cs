namespace Transfer;

/// <summary>The way in which an ability of a server is used: servers have many in several ways, from the fastest to the plainest.</summary>
/// <param name="Name">The ability's name, as in the log: <c>DataPort</c>.</param>
/// <param name="Way">The way in use: <c>Epsv</c>.</param>
public sealed record ServerAbility(string Name, string Way)
{
    /// <summary>Whether this is a way below the fastest one, which the server does not offer, has refused or has not answered.</summary>
    public bool IsFallBack { get; init; }

    /// <summary>Whether the options force this way.</summary>
    public bool IsForced { get; init; }

    /// <summary>
    /// Whether <see cref="TransferClientOptions.LimitsFile"/> has it: clients of other processes begin with this way.
    /// </summary>
    public bool IsRemembered { get; init; }
}
