using Transfer.Local;

namespace Transfer.Tests.Local;

/// <summary>Finished files get their names.</summary>
public sealed class LocalRenameTests
{
    private TempFolder _folder = null!;

    [SetUp]
    public void CreateFolder() => _folder = new TempFolder();

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [Test]
    public void A_file_gets_its_name_and_loses_the_other([Values] bool replace)
    {
        var from = _folder.Add("from", [1]);
        LocalRename.Move(from, _folder["to"], replace);
        Assert.That(_folder.Files, Is.EqualTo(new[] { "to" }));
        Assert.That(_folder.Read("to"), Is.EqualTo(new byte[] { 1 }));
    }

    [Test]
    public void What_is_there_is_replaced_only_where_it_may_be()
    {
        _folder.Add("to", [0]);
        Assert.That(() => LocalRename.Move(_folder.Add("from", [1]), _folder["to"], replace: false), Throws.InstanceOf<IOException>());
        Assert.That(_folder.Read("to"), Is.EqualTo(new byte[] { 0 }));
        LocalRename.Move(_folder["from"], _folder["to"], replace: true);
        Assert.That(_folder.Read("to"), Is.EqualTo(new byte[] { 1 }));
    }

    [Test]
    public async Task Of_several_that_want_the_same_name_at_once_and_replace_nothing_one_gets_it()
    {
        for (var round = 0; round < 100; round++)
        {
            var to = _folder[$"to{round}"];
            var from = Enumerable.Range(0, 4).Select(i => _folder.Add($"from{round}.{i}", [(byte)i])).ToArray();
            using var together = new Barrier(from.Length);
            var runs = from.Select(
                path => Task.Factory.StartNew(() => TryMove(path, to, together), CancellationToken.None, TaskCreationOptions.LongRunning,
                    TaskScheduler.Default));
            var moved = await Task.WhenAll(runs).Soon();
            Assert.That(moved.Count(done => done), Is.EqualTo(1));
            Assert.That(File.ReadAllBytes(to), Is.EqualTo(new[] { (byte)Array.IndexOf(moved, true) }));
        }
    }

    private static bool TryMove(string from, string to, Barrier together)
    {
        together.SignalAndWait();
        try
        {
            LocalRename.Move(from, to, replace: false);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }
}
