using Transfer.Replacing;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Replacing;

/// <summary>
/// Seeds draw a server, faults and kills; the decisions are driven to the end, and again by a second run without faults; a checker judges
/// what is there. See
/// <see cref="Seeds"/>.
/// </summary>
[TestFixture]
[Parallelizable(ParallelScope.All)]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ReplacementSimulation
{
    private const string Old = "the old content";
    private const string New = "the new content!";

    [Test]
    public void An_upload_leaves_the_old_file_or_the_new_one_whatever_happens() =>
        Seeds.Run(seed => Upload(new Random(seed), out var log) is { } broken ? $"{broken}\n{log}" : null);

    [Test]
    public void A_move_leaves_each_content_under_a_name() =>
        Seeds.Run(seed => Move(new Random(seed), out var log) is { } broken ? $"{broken}\n{log}" : null);

    // A failing seed goes here, to stay.
    [TestCase(0)]
    public void Known_seeds(int seed)
    {
        Assert.That(Upload(new Random(seed), out var log), Is.Null, log);
        Assert.That(Move(new Random(seed), out log), Is.Null, log);
    }

    private static string? Upload(Random random, out string log)
    {
        var server = new ModelServer(random);
        var (journal, memory) = (new Dictionary<string, string>(), new ReplacementMemory());
        var replace = random.Next(5) != 0;
        // What may not be replaced is looked at before anything is sent.
        var hadOld = replace && random.Next(4) != 0;
        var elsewhere = random.Next(6) == 0;
        if (hadOld) server["/d/a"] = Old;
        server["/d/other"] = "other";
        if (random.Next(6) == 0) server.Locked.Add(random.Next(2) == 0 ? "/d/a" : "/d/.transfer-1-0.part");
        if (random.Next(8) == 0) memory.Learn("/d/a", ReplacementLesson.NeedsAside);
        var first = new ModelRun(server, journal, memory, "0000000000000001") { KilledIn = random.Next(3) == 0 ? random.Next(8) : -1 };
        var temporary = elsewhere ? "/tmp/.transfer-1-0.part" : "/d/.transfer-1-0.part";
        server[temporary] = New;
        var renaming = new Renaming(temporary, "/d/a")
        {
            IsTemporary = true,
            Replace = replace,
            Length = New.Length,
            Modified = ModelServer.TimeOf(New)
        };
        if (random.Next(3) == 0) renaming = renaming with { TargetSeen = server.Sight("/d/a") };
        var done = first.Rename(renaming);
        var broken = Judge("the first run", first, done);

        // The next run finds what the first one left, without faults, and sends the file again.
        server.PassAll();
        (server.HasFaults, server.DeletesRefused) = (false, false);
        server.Locked.Clear();
        var second = new ModelRun(server, journal, memory, "0000000000000002");
        second.Recover();
        broken ??= hadOld && server["/d/a"] is null
            && server.Renames is ModelServer.RenameStyle.Replaces or ModelServer.RenameStyle.RefusesExisting
            ? "after a kill the file has no name" : null;
        server["/d/.transfer-2-0.part"] = New;
        var again = second.Rename(renaming with { From = "/d/.transfer-2-0.part", TargetSeen = null });
        broken ??= Judge("the second run", second, again);
        if (broken is null && !again && replace
            && server.Renames is ModelServer.RenameStyle.Replaces or ModelServer.RenameStyle.RefusesExisting
            && memory.Of("/d/a") != ReplacementKnowledge.NoRename)
        {
            broken = $"the second run failed: {second.Error?.Message}";
        }

        log = $"{server.Renames}, caseless {server.IsCaseless}, replace {replace}, old "
            + $"{hadOld}\n{string.Join('\n', first.Log)}\n--\n{string.Join('\n', second.Log)}\n{string.Join(", ", server.Names)}";
        return broken;

        string? Judge(string which, ModelRun run, bool isDone)
        {
            if (server["/d/other"] != "other") return $"{which}: a file beside is gone";
            if (isDone && server["/d/a"] != New) return $"{which}: success was told, and the target has {server["/d/a"] ?? "nothing"}";
            if (server["/d/a"] is Old or New) return null;
            if (!hadOld) return null;
            if (!server.Contents.Contains(Old)) return $"{which}: the old content is gone";
            var aside = server.Names.Single(name => server[name] == Old);
            if (!journal.ContainsKey(aside)) return $"{which}: the journal does not know of {aside}";
            if (run is { IsKilled: false, Error: { } error and not TransferConnectionException }
                && !error.Kept.Contains(aside) && error.Kept.Count > 0)
            {
                return $"{which}: the error names other files";
            }

            return null;
        }
    }

    private static string? Move(Random random, out string log)
    {
        var server = new ModelServer(random);
        var (journal, memory) = (new Dictionary<string, string>(), new ReplacementMemory());
        var from = "/d/a";
        var to = random.Next(4) switch { 0 => "/d/a", 1 => "/d/A", 2 => "/d/b", _ => "/e/a" };
        var isFolder = random.Next(6) == 0;
        if (random.Next(10) != 0) server[from] = isFolder ? "folder" : New;
        // The engine looks at the source before it asks a session to move it: one that was absent is never in doubt.
        else server.HasFaults = false;
        if (to != from && random.Next(2) == 0 && !(server.IsCaseless && to == "/d/A")) server[to] = random.Next(6) == 0 ? "folder" : Old;
        // Two names of one file, for which a rename does nothing.
        var areOneFile = !isFolder && to != from && server[from] == New && server[to] == Old && random.Next(4) == 0;
        if (areOneFile) server.Link(from, to);
        if (random.Next(8) == 0) memory.Learn(to, ReplacementLesson.NeedsAside);
        var before = server.Contents.Order().ToList();
        var (source, target) = (server[from], server[to]);
        var run = new ModelRun(server, journal, memory, "0000000000000001") { KilledIn = random.Next(3) == 0 ? random.Next(8) : -1 };
        var replace = random.Next(2) == 0;
        var done = run.Rename(
            new Renaming(from, to) { Replace = replace, Length = isFolder ? null : New.Length, Modified = ModelServer.TimeOf(New) });
        server.PassAll();
        log = $"{server.Renames}, caseless {server.IsCaseless}, {from} to {to}, replace {replace}, {source} onto "
            + $"{target}\n{string.Join('\n', run.Log)}\n{string.Join(", ", server.Names.Select(name => $"{name}={server[name]}"))}";

        var after = server.Contents.Order().ToList();
        if (done && server[to] != source) return $"success was told, and the target has {server[to] ?? "nothing"}";
        if (source is not null && !after.Contains(source)) return "the source's content is gone";
        var mayReplace = replace && source == New && (target == Old || areOneFile);
        if (done && areOneFile && server[from] is not null && server.Unanswered == 0)
            return "success was told, and both names of the file are there";
        if (target is not null && !after.Contains(target) && !(mayReplace && server[to] == New)) return "the target's content is gone";
        if (!mayReplace && !after.SequenceEqual(before)) return $"{string.Join(", ", before)} became {string.Join(", ", after)}";
        foreach (var name in server.Names.Where(name => name.EndsWith(".old", StringComparison.Ordinal)))
        {
            if (!journal.ContainsKey(name) && !server.DeletesRefused) return $"the journal does not know of {name}";
        }
        return null;
    }
}
