using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace Transfer.Sftp.Protocol;

/// <summary>A reply still to come, held while other requests are made. Await exactly once: the request then serves another use.</summary>
internal readonly struct PendingReply(SftpRequest request, short use)
{
    /// <summary>Whether awaiting the reply will not wait.</summary>
    public bool IsCompleted => request.GetStatus(use) != ValueTaskSourceStatus.Pending;

    /// <summary>Returns whether this is the reply to the present use of a request.</summary>
    public bool IsOf(SftpRequest other) => request == other && use == other.Use;

    public ConfiguredValueTaskAwaitable<SftpReply> ConfigureAwait(bool continueOnCapturedContext) =>
        new ValueTask<SftpReply>(request, use).ConfigureAwait(continueOnCapturedContext);
}
