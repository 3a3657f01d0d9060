using System.Collections;
using System.Diagnostics;
using System.Management.Automation;
using System.Management.Automation.Provider;

namespace Transfer.PowerShell.Drives;

/// <summary>
/// Writes a file of a drive for Set-Content. The complete file gets its name; if the writing or the pipeline before the command fails,
/// or the command is stopped, the old file stays.
/// </summary>
/// <param name="work">Waits on the pipeline's thread.</param>
/// <param name="drive">The drive.</param>
/// <param name="path">The file's path at the server.</param>
/// <param name="parameters">The format of the content.</param>
internal sealed class DriveContentWriter(DriveWork work, TransferDrive drive, string path, WriteParameters parameters) : IContentWriter
{
    private TransferWriteStream? _content;
    private bool _isGivenUp;
    private bool _isClosed;

    /// <inheritdoc/>
    public IList Write(IList content)
    {
        // The error has been written already, at the first value.
        if (_isGivenUp) return content;
        _isGivenUp = true;
        var bytes = parameters.AsByteStream ? PipelineValue.Bytes(content) : Text(content);
        work.Await(async token =>
        {
            await OpenAsync(token).ConfigureAwait(false);
            await _content!.WriteAsync(bytes, token).ConfigureAwait(false);
        });
        _isGivenUp = false;
        return content;
    }

    /// <summary>
    /// Add-Content goes to the end: only of a file that is empty, or not there, since servers' files are written as a whole.
    /// </summary>
    public void Seek(long offset, SeekOrigin origin)
    {
        _isGivenUp = true;
        work.Await(async token =>
        {
            if (await drive.Client.GetEntryAsync(path, token).ConfigureAwait(false) is { Length: not 0 })
            {
                throw new TransferException(TransferError.Unsupported,
                    $"{path}: nothing can be appended to a server's file. Read it (Get-Content -Raw), and write all of it (Set-Content).")
                {
                    RemotePath = path,
                };
            }
        });
        _isGivenUp = false;
    }

    /// <inheritdoc/>
    public void Close()
    {
        _isGivenUp |= IsPipelineBroken();
        Dispose();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isClosed) return;
        _isClosed = true;
        try
        {
            if (!_isGivenUp && !work.IsStopped)
            {
                work.Await(async token =>
                {
                    await OpenAsync(token).ConfigureAwait(false);
                    return await _content!.CommitAsync(token).ConfigureAwait(false);
                });
            }
        }
        finally
        {
            if (_content is { } content) Task.Run(() => content.DisposeAsync().AsTask()).GetAwaiter().GetResult();
        }
    }

    // PowerShell closes a file in the same way after a complete and after a failed pipeline, without a sign for the provider. Only the call
    // stack differs: Set-Content closes in its EndProcessing, or else while the commands of a failed pipeline are disposed of.
    private static bool IsPipelineBroken() =>
        new StackTrace().GetFrames().Select(frame => frame.GetMethod()?.Name)
            .FirstOrDefault(name => name is "EndProcessing" or "DoEndProcessing" or "DisposeCommands") == "DisposeCommands";

    private async Task OpenAsync(CancellationToken ct)
    {
        if (_content is not null) return;
        _content = await drive.Client.OpenWriteAsync(path, new() { Overwrite = OverwriteMode.Always }, ct).ConfigureAwait(false);
        if (!parameters.AsByteStream && parameters.Encoding.GetPreamble() is { Length: > 0 } mark)
            await _content.WriteAsync(mark, ct).ConfigureAwait(false);
    }

    private byte[] Text(IList content) =>
        parameters.Encoding.GetBytes(string.Concat(content.Cast<object?>().Select(value =>
            LanguagePrimitives.ConvertTo<string>(value) + (parameters.NoNewline ? string.Empty : Environment.NewLine))));
}
