using Transfer.TestSupport.Architecture;

namespace Transfer.Tests.Architecture;

/// <summary>Folders are rooms, and a room uses those below it only: the order of a project's rooms is in CONTRIBUTING.md.</summary>
[TestFixture("Transfer.Core")]
[TestFixture("Transfer.Ftp")]
[TestFixture("Transfer.Sftp")]
[TestFixture("Transfer.Batch")]
[TestFixture("Transfer.SshNet")]
[TestFixture("Transfer.Testing")]
public sealed class RoomTests(string project)
{
    private RoomOrder _order = null!;

    [OneTimeSetUp]
    public void Read() => _order = new(project, $"src/{project}", Path.Combine(TestContext.CurrentContext.TestDirectory, $"{project}.dll"));

    [Test]
    public void Rooms_use_the_rooms_below_them_only() => _order.NoneLooksUp();

    [Test]
    public void Every_folder_is_a_room_of_the_plan_and_few_use_each_other_mutually() => _order.EachFolderIsPlanned();

    [Test]
    public void References_are_found_at_all() => _order.ReferencesAreFound();
}
