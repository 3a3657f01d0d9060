using Renci.SshNet;

namespace Transfer.SshNet.Session;

/// <summary>Tells the watch over an upload that the server has confirmed a write.</summary>
/// <param name="watch">The watch.</param>
internal sealed class WriteProgress(IdleWatch watch) : IProgress<UploadFileProgressReport>
{
    public void Report(UploadFileProgressReport value) => watch.Touch();
}
