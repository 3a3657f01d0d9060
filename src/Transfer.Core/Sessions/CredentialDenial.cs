namespace Transfer.Sessions;

/// <summary>
/// The server's refusal of the credentials before any session was opened. Openings that had begun by then do not try the credentials again,
/// because many servers lock users out after repeated failures. A refusal of an opening ahead of its request answers the first request.
/// Not thread-safe: the pool's lock guards this.
/// </summary>
internal sealed class CredentialDenial
{
    private bool _isUnheard;

    /// <summary>The latest refusal; null: none.</summary>
    public TransferException? Latest { get; private set; }

    /// <summary>Whether no session was requested since the refusal: nothing is opened ahead.</summary>
    public bool IsUnchallenged { get; private set; }

    /// <summary>Notes a refusal while other openings may still be trying.</summary>
    public void Deny(TransferException error) => Latest = error;

    /// <summary>Notes that all openings have been refused.</summary>
    /// <param name="error">The refusal.</param>
    /// <param name="isHeard">Whether a waiter got the refusal.</param>
    public void DenyAll(TransferException error, bool isHeard)
    {
        (Latest, IsUnchallenged) = (error, true);
        _isUnheard = !isHeard;
    }

    /// <summary>
    /// Answers a request for a session with a refusal that no waiter got yet; null: the credentials are to be tried again.
    /// </summary>
    public TransferException? TakeUnheard()
    {
        var answer = _isUnheard ? Latest : null;
        (IsUnchallenged, _isUnheard) = (false, false);
        return answer;
    }
}
