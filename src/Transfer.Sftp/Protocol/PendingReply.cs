using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace Transfer.Sftp.Protocol;

/// <summary>A reply that is still to come, kept while others are asked for. It is taken exactly once: its request then serves another.</summary>
internal readonly struct PendingReply(SftpRequest request, short use)
{
    /// <summary>Taking it will not wait.</summary>
    public bool IsCompleted => request.GetStatus(use) != ValueTaskSourceStatus.Pending;

    public ConfiguredValueTaskAwaitable<SftpReply> ConfigureAwait(bool continueOnCapturedContext) =>
        new ValueTask<SftpReply>(request, use).ConfigureAwait(continueOnCapturedContext);
}
