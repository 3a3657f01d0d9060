namespace Transfer.Sessions;

/// <summary>
/// The server's refusal of the credentials before any session was opened. Openings that had begun by then do not try the credentials again,
/// because many servers lock users out after repeated failures. A refusal of an opening ahead of its request answers the first request.
/// Not thread-safe: the pool's lock guards this.
/// </summary>
internal sealed class CredentialDenial
{
    private bool _isUnheard;
    private bool _isUnchallenged;

    /// <summary>The latest refusal; null: none.</summary>
    public TransferException? Latest { get; private set; }

    /// <summary>The refusal while openings that began before are still under way; null: none. Nothing is opened meanwhile.</summary>
    public TransferException? Pending { get; private set; }

    /// <summary>Whether no session was requested since the refusal was heard: nothing is opened ahead.</summary>
    public bool IsUnchallenged => _isUnchallenged || Pending is not null;

    /// <summary>Notes a refusal while other openings may still be trying.</summary>
    public void Deny(TransferException error) => Latest = Pending = error;

    /// <summary>Notes that the server has accepted the credentials after all.</summary>
    public void Disprove() => Pending = null;

    /// <summary>Notes that the last opening that began before the refusal has ended.</summary>
    /// <param name="isHeard">Whether a waiter got the refusal.</param>
    /// <returns><paramref name="isHeard"/>.</returns>
    public bool DenyAll(bool isHeard)
    {
        (_isUnchallenged, _isUnheard, Pending) = (true, !isHeard, null);
        return isHeard;
    }

    /// <summary>
    /// Answers a request for a session with a refusal that no waiter got yet; null: the credentials are to be tried again.
    /// </summary>
    public TransferException? TakeUnheard()
    {
        var answer = _isUnheard ? Latest : null;
        (_isUnchallenged, _isUnheard) = (false, false);
        return answer;
    }
}
