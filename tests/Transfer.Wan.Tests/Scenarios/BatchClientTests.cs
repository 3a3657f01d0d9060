using System.Diagnostics;
using Transfer.Wan.Clients;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Tests.Scenarios;

/// <summary>Batch mode where it takes more than one command.</summary>
internal sealed class BatchClientTests
{
    private static readonly ClientJob Upload = Jobs.Of(Protocol.FTPS, isUpload: true, files: 3) with { Host = "10.77.0.1" };
    private static readonly ClientJob Download = Jobs.Of(Protocol.SFTP, isUpload: false, files: 3) with { Host = "10.77.0.1" };

    [Test]
    public void Recipients_at_the_server_read_its_folder_and_wait_before_the_time_begins()
    {
        var client = ClientCatalog.Find("transfer send --to 5 there");
        var lines = Lines(client.FarEnd(Upload)!);
        Assert.That(lines.Count(line => line.Contains(" key r", StringComparison.Ordinal)), Is.EqualTo(5));
        Assert.That(lines, Has.Some.Contains(" fetch /served/in received-5 --as r5 --key-file r5.key --from me.pub --watch "));
        Assert.That(Array.IndexOf(lines, "echo ready"),
            Is.GreaterThan(Array.FindLastIndex(lines, line => line.Contains("state-5", StringComparison.Ordinal))));
        Assert.That(client.Received(Upload), Is.EqualTo(Enumerable.Range(1, 5).Select(i => Path.Combine("/scratch", $"received-{i}"))));
    }

    [Test]
    public void One_command_sends_to_all_recipients_and_the_end_is_when_the_job_is_gone()
    {
        var command = ClientCatalog.Find("transfer send --to 2 there").Command(Upload);
        var script = string.Join('\n', Lines(command));
        Assert.That(script,
            Does.Contain(
                " send '/data/near files' ftpes://tester@10.77.0.2:2121/in/ --to r1=r1.pub --to r2=r2.pub --key-file me.key --quiet"));
        Assert.That(script, Does.Contain("while set -- /served/in/*; [ -e \"$1\" ]; do").And.Not.Contain(" fetch "));
        Assert.That(script, Does.Not.Contain("secret"));
        Assert.That(command.Environment["TRANSFER_PASSWORD"], Is.EqualTo(Upload.Server.Password));
    }

    [Test]
    public void A_recipient_on_this_side_fetches_from_the_server()
    {
        var client = ClientCatalog.Find("transfer send --to 1 here");
        Assert.That(string.Join('\n', Lines(client.FarEnd(Upload)!)), Does.Contain(" key r1.key ").And.Not.Contain(" fetch "));
        Assert.That(Lines(client.Command(Upload)), Has.Some.Contains(" fetch ftpes://tester@10.77.0.2:2121/in/ received-1 --as r1 "));
    }

    [TestCase("transfer send --to 1 here", false)]
    [TestCase("transfer send --to 1 there", true)]
    [TestCase("transfer send", true)]
    public void Only_what_works_at_the_far_end_has_memory_of_its_own_there(string label, bool works) =>
        Assert.That(ClientCatalog.Find(label).WorksAtFarEnd, Is.EqualTo(works));

    [Test]
    public void Sender_and_recipients_remember_things_in_folders_of_their_own()
    {
        var client = ClientCatalog.Find("transfer send --to 2 here");
        var states = Lines(client.Command(Upload)).SelectMany(line => line.Split(' ')).Where(
            word => word.StartsWith("XDG_STATE_HOME=", StringComparison.Ordinal)).ToList();
        Assert.That(states, Has.Count.EqualTo(3).And.Unique);
    }

    [TestCase("transfer send --to 0 here")]
    [TestCase("transfer send --to some there")]
    [TestCase("transfer send --to 2 elsewhere")]
    [TestCase("transfer send --to 2")]
    public void Labels_say_how_many_and_where(string label) => Assert.That(() => ClientCatalog.Find(label), Throws.ArgumentException);

    [Test]
    public void A_receiver_on_this_side_is_sent_to_as_soon_as_its_address_is_known()
    {
        var client = ClientCatalog.Find("transfer receive");
        Assert.That(Lines(client.Command(Download)).Single(),
            Does.EndWith(" receive '/data/near files' --listen 10.77.0.1:0 --quiet > address"));
        var far = Lines(client.FarEnd(Download)!);
        Assert.That(far[0], Is.EqualTo("echo ready"));
        Assert.That(far[^1], Does.Contain(" send /served/in ").And.EndWith("\"${address%%#*}\" --quiet"));
        Assert.That(client.Received(Download), Is.EqualTo(new[] { "/data/near files" }));
        Assert.That(() => client.Command(Upload), Throws.InstanceOf<NotSupportedException>());
    }

    [TestCase("transfer send --to 5 there")]
    [TestCase("transfer send --to 1 here")]
    [TestCase("transfer receive")]
    [Platform("Linux,MacOsX")]
    public void The_shell_understands_the_scripts(string label)
    {
        var job = label.EndsWith("receive", StringComparison.Ordinal) ? Download : Upload;
        var client = ClientCatalog.Find(label);
        foreach (var command in (ClientCommand[])[client.Command(job), client.FarEnd(job)!])
        {
            var start = new ProcessStartInfo("sh", ["-n", .. command.Arguments]) { RedirectStandardError = true };
            using var shell = Process.Start(start)!;
            var said = shell.StandardError.ReadToEnd();
            shell.WaitForExit();
            Assert.That((shell.ExitCode, said), Is.EqualTo((0, string.Empty)));
        }
    }

    private static string[] Lines(ClientCommand command)
    {
        Assert.That(command.Arguments[0], Is.EqualTo("-c"));
        return command.Arguments[1].Split('\n');
    }
}
