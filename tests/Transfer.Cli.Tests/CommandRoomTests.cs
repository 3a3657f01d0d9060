using Transfer.TestSupport.Architecture;

namespace Transfer.Cli.Tests;

/// <summary>The rooms of the command, in the order of CONTRIBUTING.md.</summary>
[TestFixture]
public sealed class CommandRoomTests
{
    private RoomOrder _order = null!;

    [OneTimeSetUp]
    public void Read() => _order = new("Transfer.Cli", "samples/Transfer.Cli", typeof(CommandLine).Assembly.Location);

    [Test]
    public void Rooms_use_the_rooms_below_them_only() => _order.NoneLooksUp();

    [Test]
    public void Every_folder_is_a_room_of_the_plan_and_few_use_each_other_mutually() => _order.EachFolderIsPlanned();

    [Test]
    public void References_are_found_at_all() => _order.ReferencesAreFound();
}
