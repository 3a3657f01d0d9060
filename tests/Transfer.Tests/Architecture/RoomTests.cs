using Transfer.TestSupport.Architecture;

namespace Transfer.Tests.Architecture;

/// <summary>Folders are rooms, and a room uses those below it only: the order of a project's rooms is in CONTRIBUTING.md.</summary>
[TestFixture("Transfer.Core")]
[TestFixture("Transfer.Ftp")]
[TestFixture("Transfer.Sftp")]
[TestFixture("Transfer.Batch")]
[TestFixture("Transfer.SshNet")]
[TestFixture("Transfer.Testing")]
internal sealed class RoomTests(string project)
    : RoomFixture(project, $"src/{project}", Path.Combine(AppContext.BaseDirectory, $"{project}.dll"));
