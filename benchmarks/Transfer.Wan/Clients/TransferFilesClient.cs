namespace Transfer.Wan.Clients;

/// <summary>Ours, given the files by name and not the folder that they are in.</summary>
internal sealed class TransferFilesClient(string label) : TransferClientCommand(label)
{
    public new const string Name = TransferClientCommand.Name + " put FILE...";

    protected override string Words => Name;

    protected override IEnumerable<string> SourcesOf(ClientJob job) => job.Names.Select(job.LocalFile);
}
