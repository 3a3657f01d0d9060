namespace Transfer.Tests.Architecture;

/// <summary>Folders are rooms, and a room uses those below it only: the order of a project's rooms is in CONTRIBUTING.md.</summary>
[TestFixture]
public sealed class RoomTests
{
    // More rooms than these may not use each other mutually.
    private const int MostMutual = 3;

    private static readonly string[] Projects = ["Transfer.Core", "Transfer.Ftp", "Transfer.Sftp", "Transfer.Batch", "Transfer.Testing"];

    [TestCaseSource(nameof(Projects))]
    public void Rooms_use_the_rooms_below_them_only(string project)
    {
        var floors = RoomPlan.Of(project).Floors;
        var floorOf = floors.SelectMany((rooms, floor) => rooms.Select(room => (room, floor))).ToDictionary(entry => entry.room,
            entry => entry.floor);
        var upwards = RoomReferences.Of(project).Where(use => floorOf[use.From] < floorOf[use.To]);
        Assert.That(upwards, Is.Empty, "a type uses one of a room above its own");
    }

    [TestCaseSource(nameof(Projects))]
    public void Every_folder_is_a_room_of_the_plan_and_few_use_each_other_mutually(string project)
    {
        var floors = RoomPlan.Of(project).Floors;
        Assert.That(floors.SelectMany(rooms => rooms), Is.EquivalentTo(SourceRooms.Of(project).Names));
        Assert.That(floors.Max(rooms => rooms.Count), Is.LessThanOrEqualTo(MostMutual));
    }

    [TestCaseSource(nameof(Projects))]
    public void References_are_found_at_all(string project) =>
        Assert.That(RoomReferences.Of(project).Select(use => (use.From, use.To)).Distinct().Count(),
            Is.GreaterThan(SourceRooms.Of(project).Names.Count));
}
