namespace Transfer.TestSupport.Architecture;

/// <summary>
/// Base of tests that compare the rooms of one project with the plan in CONTRIBUTING.md: a room uses the rooms below it only.
/// </summary>
internal abstract class RoomFixture
{
    // More rooms than these may not use each other mutually.
    private const int MostMutual = 3;

    private readonly string _project;
    private readonly string _folder;
    private readonly string _assembly;
    private RoomPlan _plan = null!;
    private SourceRooms _rooms = null!;
    private IReadOnlyList<RoomReferences.Use> _uses = null!;

    /// <param name="project">The project's name in the plan.</param>
    /// <param name="folder">Its folder, from the repository's root.</param>
    /// <param name="assembly">The built assembly.</param>
    protected RoomFixture(string project, string folder, string assembly) =>
        (_project, _folder, _assembly) = (project, folder, assembly);

    [OneTimeSetUp]
    public void Read()
    {
        _plan = RoomPlan.Of(_project);
        _rooms = SourceRooms.Of(_folder);
        _uses = RoomReferences.Of(_assembly, _rooms);
    }

    [Test]
    public void Rooms_use_the_rooms_below_them_only()
    {
        var floorOf = _plan.Floors.SelectMany((rooms, floor) => rooms.Select(room => (room, floor)))
            .ToDictionary(entry => entry.room, entry => entry.floor);
        var upwards = _uses.Where(use => floorOf[use.From] < floorOf[use.To]);
        Assert.That(upwards, Is.Empty, "a type uses one of a room above its own");
    }

    [Test]
    public void Every_folder_is_a_room_of_the_plan_and_few_use_each_other_mutually()
    {
        Assert.That(_plan.Floors.SelectMany(rooms => rooms), Is.EquivalentTo(_rooms.Names));
        Assert.That(_plan.Floors.Max(rooms => rooms.Count), Is.LessThanOrEqualTo(MostMutual));
    }

    [Test]
    public void References_are_found_at_all() =>
        Assert.That(_uses.Select(use => (use.From, use.To)).Distinct().Count(), Is.GreaterThanOrEqualTo(_rooms.Names.Count));
}
