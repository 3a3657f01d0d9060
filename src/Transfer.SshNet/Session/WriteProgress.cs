using Renci.SshNet;

namespace Transfer.SshNet.Session;

/// <summary>Reports confirmed writes to the watch over an upload.</summary>
/// <param name="watch">The watch.</param>
internal sealed class WriteProgress(IdleWatch watch) : IProgress<UploadFileProgressReport>
{
    public void Report(UploadFileProgressReport value) => watch.Touch();
}
