using System.Runtime.CompilerServices;

namespace Transfer.Sftp.Protocol;

/// <summary>A reply that is still to come, kept while others are asked for. It is taken exactly once: its request then serves another.</summary>
internal readonly struct PendingReply(ValueTask<SftpReply> reply)
{
    /// <summary>Taking it will not wait.</summary>
    public bool IsCompleted => reply.IsCompleted;

    public ConfiguredValueTaskAwaitable<SftpReply> ConfigureAwait(bool continueOnCapturedContext) => reply.ConfigureAwait(continueOnCapturedContext);
}
