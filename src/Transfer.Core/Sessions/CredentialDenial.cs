namespace Transfer.Sessions;

/// <summary>
/// The server's refusal of the credentials before any session was opened: they are not tried again for what had begun by then, since many servers lock a user out who tries often. An opening ahead of those
/// who would ask may be refused before they do: the first who asks has that refusal for an answer. Not thread-safe: the pool's lock guards it.
/// </summary>
internal sealed class CredentialDenial
{
    private bool _isUnheard;

    /// <summary>The latest refusal; null: there was none.</summary>
    public TransferException? Latest { get; private set; }

    /// <summary>Nobody has asked for a session since: nothing is opened ahead.</summary>
    public bool Stands { get; private set; }

    /// <summary>The credentials were refused, while others may still be tried beside.</summary>
    public void Deny(TransferException error) => Latest = error;

    /// <summary>All that was tried has been refused.</summary>
    /// <param name="error">The refusal.</param>
    /// <param name="isHeard">Somebody waited for it.</param>
    public void Stand(TransferException error, bool isHeard)
    {
        (Latest, Stands) = (error, true);
        _isUnheard = !isHeard;
    }

    /// <summary>Somebody asks for a session: the answer that there is already, or null, and then it is to be tried again.</summary>
    public TransferException? Ask()
    {
        var answer = _isUnheard ? Latest : null;
        (Stands, _isUnheard) = (false, false);
        return answer;
    }
}
