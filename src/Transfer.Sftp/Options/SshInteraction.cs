namespace Transfer.Sftp;

/// <summary>
/// Answers a server's questions, one string for each prompt, in order (keyboard-interactive, RFC 4256), and the prompt for an encrypted
/// key file's passphrase. Null gives up.
/// </summary>
/// <param name="request">The questions.</param>
/// <param name="cancellationToken">Fires when the answer is no longer awaited.</param>
public delegate ValueTask<IReadOnlyList<string>?> SshInteraction(SshQuestions request, CancellationToken cancellationToken);
