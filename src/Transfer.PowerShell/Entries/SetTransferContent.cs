using System.Management.Automation;
using System.Text;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Entries;

/// <summary>Writes a file of a server: a line an object, or bytes. The file gets its name only when complete.</summary>
[Cmdlet(VerbsCommon.Set, "TransferContent", SupportsShouldProcess = true)]
public sealed class SetTransferContent : ServerCmdlet
{
    private TransferWriteStream? _content;
    private bool _isAsked;
    private bool _isWanted;

    /// <summary>The file's path at the server.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    public string Path { get; set; } = string.Empty;

    /// <summary>The content: texts, a line each, or bytes.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipeline = true)]
    [AllowEmptyString]
    [AllowEmptyCollection]
    public object[] Value { get; set; } = [];

    /// <summary>The text's encoding; UTF-8 by default.</summary>
    [Parameter]
    [TextEncoding]
    [ValidateNotNull]
    public Encoding Encoding { get; set; } = new UTF8Encoding(false);

    /// <summary>The values are bytes.</summary>
    [Parameter]
    public SwitchParameter AsByteStream { get; set; }

    /// <summary>Nothing is put between the values and behind the last one.</summary>
    [Parameter]
    public SwitchParameter NoNewline { get; set; }

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        if (!_isAsked) (_isAsked, _isWanted) = (true, ShouldProcess($"{Path} at {Client.Endpoint}", "Write"));
        if (!_isWanted) return;
        Open();
        var bytes = AsByteStream
            ? PipelineValue.Bytes(Value)
                : Encoding.GetBytes(
                    string.Concat(
                        Value.Select(
                            value => LanguagePrimitives.ConvertTo<string>(value) + (NoNewline ? string.Empty : Environment.NewLine))));
        Await(async token => await _content!.WriteAsync(bytes, token).ConfigureAwait(false), Path);
    }

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        if (!_isWanted) return;
        Await(token => _content!.CommitAsync(token).AsTask(), Path);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        // One that was not completed is given up: the old file stays.
        if (disposing && _content is { } content) Task.Run(() => content.DisposeAsync().AsTask()).GetAwaiter().GetResult();
        _content = null;
        base.Dispose(disposing);
    }

    private void Open()
    {
        if (_content is not null) return;
        _content = Await(token => Client.OpenWriteAsync(Path, new() { Overwrite = OverwriteMode.Always }, token).AsTask(), Path);
        if (!AsByteStream && Encoding.GetPreamble() is { Length: > 0 } mark)
            Await(async token => await _content.WriteAsync(mark, token).ConfigureAwait(false), Path);
    }
}
