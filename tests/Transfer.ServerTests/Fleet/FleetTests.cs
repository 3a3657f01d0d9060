using System.Net;
using System.Net.Http.Json;
using System.Text;
using System.Text.RegularExpressions;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Fleet;

/// <summary>
/// The fleet of <c>samples/Transfer.Fleet</c>: programs that share a database, a folder of plans and a server, and are killed.
/// </summary>
[TestFixture]
[Parallelizable]
public sealed partial class FleetTests() : FleetFixture(Limited)
{
    // 6 KB a file.
    private const int Files = 320;
    private const int Parts = 8;

    // A part takes two seconds over two sessions.
    private static readonly ServerVariant Limited =
        ServerVariant.Plain with { Name = "Limited", VsftpdSettings = "local_max_rate=60000\n" };

    [Test]
    public async Task Two_of_four_workers_are_killed_and_the_others_leave_what_one_run_leaves()
    {
        WriteSource(Files);
        Server.Plant($"{Remote}/gone/old.txt", [1, 2, 3]);
        await StartAsync(4);
        await SubmitAsync(Workers[0], "killed", Parts);
        var dead = await KillMidwayAsync("killed", 2);
        foreach (var name in dead) await Workers[0].WaitUntilDeadAsync(name);
        Assert.That(Running(await Workers[0].ReadAsync("killed")).Intersect(dead), Is.Empty, "a dead worker runs nothing");

        var end = await Workers[0].WaitAsync("killed", plan => plan.State == "Done", "the others finish");
        Assert.That(TestTree.Differences(Source, Server.Local(Remote), TimeSpan.FromSeconds(1)), Is.Empty);
        var again = end.Applied.Where(part => part.Attempts > 1).ToList();
        Assert.Multiple(() =>
        {
            Assert.That(again, Is.Not.Empty.And.All.Property("Attempts").EqualTo(2), "parts of the killed workers");
            Assert.That(again.Select(part => part.Worker).Intersect(dead), Is.Empty, "the living have them");
            Assert.That(again.Sum(part => part.Outcome.Confirmed), Is.Positive, "files that the dead had sent");
            Assert.That(end.Applied.Except(again).Sum(part => part.Outcome.Confirmed), Is.Zero, "the other parts ran once");
            Assert.That(end.Files + end.Confirmed, Is.EqualTo(Files), "each file was sent or confirmed");
            Assert.That((end.Failed, end.Deleted, end.Deletions), Is.EqualTo((0, 2, 2)), "the file and its folder");
            Assert.That(end.Parts[^1], Has.Property("Part").EqualTo("final").And.Property("Attempts").EqualTo(1));
        });

        // A file is sent again only if its worker was killed between the end of its content and that of its publication.
        var published = Published().GroupBy(name => name).ToDictionary(name => name.Key, name => name.Count());
        Assert.That(published, Has.Count.EqualTo(Files));
        Assert.That(published.Values.Sum(count => count - 1), Is.LessThan(Files / Parts), "of the files that were under way");
    }

    [Test]
    public async Task A_stopped_worker_gives_its_part_back_at_once()
    {
        WriteSource(Files / 2);
        await StartAsync(2);
        await SubmitAsync(Workers[0], "stopped", Parts / 2);
        await Workers[0].WaitAsync("stopped", plan => Running(plan).Contains(Workers[1].Name), "the second runs a part");
        Assert.That(await Workers[1].StopAsync(), Is.Zero);
        var after = await Workers[0].ReadAsync("stopped");
        Assert.That(after.Parts.Select(part => (part.State, part.Worker)), Has.None.EqualTo(("Running", Workers[1].Name)));
        var end = await Workers[0].WaitAsync("stopped", plan => plan.State == "Done", "the first finishes");
        Assert.That(end.Files + end.Confirmed, Is.EqualTo(Files / 2));
        Assert.That(TestTree.Differences(Source, Server.Local(Remote), TimeSpan.FromSeconds(1)), Is.Empty);
    }

    [Test]
    public async Task A_worker_that_is_taken_for_dead_and_lives_ends_its_part_alone()
    {
        // A part of four seconds: one of two was over now and then before the worker was stopped.
        WriteSource(Files / 2);
        await StartAsync(2, ("Fleet:Retries", "8"));
        await SubmitAsync(Workers[0], "frozen", parts: 2);
        await Workers[0].WaitAsync("frozen", plan => Midway(plan).Contains(Workers[1].Name), "the second is in the middle of a part");
        Workers[1].Freeze(true);
        await Workers[0].WaitAsync(
            "frozen", plan => plan.Applied.Any(part => part.Outcome.Error == "Exists"), "the part is refused to the first");
        Workers[1].Freeze(false);
        var end = await Workers[0].WaitAsync("frozen", plan => plan.State == "Done", "the second ends the part, and the first confirms");
        Assert.That((end.Failed, end.Parts[^1].Attempts), Is.EqualTo((0, 1)));
        Assert.That(TestTree.Differences(Source, Server.Local(Remote), TimeSpan.FromSeconds(1)), Is.Empty);
        Assert.That(Published().Order(), Is.Unique.And.Exactly(Files / 2).Items);
    }

    [Test]
    public async Task A_failed_part_holds_the_deletions_back_until_a_retry()
    {
        foreach (var folder in new[] { "a", "b" })
        {
            Directory.CreateDirectory(Path.Combine(Source, folder));
            await File.WriteAllBytesAsync(Path.Combine(Source, folder, "<b>.txt"), Bytes.Random(1000));
        }
        Server.Plant($"{Remote}/old.txt", [1]);
        var refused = Directory.CreateDirectory(Server.Local($"{Remote}/a")).FullName;
        // Entered and listed by the server's user, and not written to.
        File.SetUnixFileMode(refused,
            UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute);
        Shell.Run("chown", "root", refused);
        await StartAsync(1, ("Fleet:Retries", "0"));
        var worker = Workers[0];
        await SubmitAsync(worker, "refused", parts: 2);
        var failed = await worker.WaitAsync("refused", plan => plan.State == "Failed", "a part fails");
        var part = failed.Parts.Single(step => step.CanRetry);
        Assert.Multiple(() =>
        {
            Assert.That(part.Outcome, Has.Property("Error").EqualTo("Denied").And.Property("Failed").EqualTo(1));
            Assert.That(part.Outcome.Message, Does.Contain("a/<b>.txt"));
            Assert.That(failed.Parts[^1].State, Is.EqualTo("Open"), "the last phase waits for all parts");
            Assert.That(File.Exists(Server.Local($"{Remote}/old.txt")));
        });

        ServerUser.Own(Server.Local(Remote));
        File.SetUnixFileMode(refused, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        Assert.That(await RetryAsync(worker, "refused", "final"), Is.EqualTo(HttpStatusCode.Conflict), "the last phase is not due");
        Assert.That(await RetryAsync(worker, "refused", part.Part), Is.EqualTo(HttpStatusCode.Accepted));
        var end = await worker.WaitAsync("refused", plan => plan.State == "Done", "the retry");
        Assert.That(await RetryAsync(worker, "refused", part.Part), Is.EqualTo(HttpStatusCode.Conflict), "the part is done");
        Assert.That(end, Has.Property("Files").EqualTo(2).And.Property("Deleted").EqualTo(1).And.Property("Failed").EqualTo(0));
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "a", "b" }));
    }

    [Test]
    public async Task Passwords_are_neither_in_the_database_nor_in_plans_nor_shown_and_other_pages_change_nothing()
    {
        Directory.CreateDirectory(Source);
        await File.WriteAllBytesAsync(Path.Combine(Source, "file"), [1]);
        await StartAsync(1);
        var worker = Workers[0];
        await SubmitAsync(worker, "secret", parts: 1);
        await worker.WaitAsync("secret", plan => plan.State == "Done", "the plan");
        var shown = await worker.Http.GetStringAsync("plans/secret") + await worker.Http.GetStringAsync("") + worker.Log;
        Assert.That(shown, Does.Not.Contain(Server.Credential.Password));
        var files = Directory.EnumerateFiles(Database.Data, "*", SearchOption.AllDirectories)
            .Concat(Directory.EnumerateFiles(Path.Combine(Scratch, "plans"), "*", SearchOption.AllDirectories));
        foreach (var file in files)
        {
            var content = await File.ReadAllBytesAsync(file);
            Assert.That(content.AsSpan().IndexOf(Encoding.UTF8.GetBytes(Server.Credential.Password)), Is.EqualTo(-1), file);
        }

        using var foreign = new HttpRequestMessage(HttpMethod.Post, "plans")
        {
            Content = JsonContent.Create(Plan("foreign", 1)),
            Headers = { { "Origin", "https://elsewhere.example" } },
        };
        using var refused = await worker.Http.SendAsync(foreign);
        Assert.That(refused.StatusCode, Is.EqualTo(HttpStatusCode.Forbidden));
        using var twice = await worker.SubmitAsync(Plan("secret", 1));
        Assert.That(twice.StatusCode, Is.EqualTo(HttpStatusCode.Conflict));
        foreach (var place in new[] { "local:../up", "elsewhere:x", "local:/etc", "etc" })
        {
            using var answer = await worker.SubmitAsync(new { name = "outside", from = place, to = "server:", parts = 1 });
            Assert.That(answer.StatusCode, Is.EqualTo(HttpStatusCode.BadRequest), place);
        }
    }

    private static IEnumerable<string> Running(PlanState plan) =>
        plan.Applied.Where(part => part.State == "Running").Select(part => part.Worker!).Distinct();

    private static async Task<HttpStatusCode> RetryAsync(FleetWorker worker, string plan, string part)
    {
        using var answer = await worker.Http.PostAsync($"plans/{plan}/{part}/retry", content: null);
        return answer.StatusCode;
    }

    // Names that the server logs as they are.
    private void WriteSource(int files)
    {
        for (var i = 0; i < files; i++)
        {
            var path = Path.Combine(Directory.CreateDirectory(Path.Combine(Source, $"d{i % 20}")).FullName, $"f{i}");
            File.WriteAllBytes(path, Bytes.Random(5_000 + (i * 37 % 2000), seed: i));
            File.SetLastWriteTimeUtc(path, new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddMinutes(i));
        }
    }

    private IEnumerable<string> Published() => Publication().Matches(Log).Select(match => match.Groups[1].Value);

    [GeneratedRegex("OK RENAME: .*? [^ ]*/(f[0-9]+)\"")]
    private static partial Regex Publication();
}
