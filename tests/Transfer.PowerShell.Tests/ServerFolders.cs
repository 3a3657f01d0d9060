namespace Transfer.PowerShell.Tests;

/// <summary>Folders for servers and their client, which end with the test.</summary>
internal sealed class ServerFolders : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("transfer-cmdlets");

    public string Ftp => _root.CreateSubdirectory("ftp").FullName;

    public string Sftp => _root.CreateSubdirectory("sftp").FullName;

    public string Local => _root.CreateSubdirectory("local").FullName;

    public void Dispose() => _root.Delete(recursive: true);
}
