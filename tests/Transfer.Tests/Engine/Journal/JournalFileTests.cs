namespace Transfer.Tests.Engine.Journal;

/// <summary>What is read back of a journal after a crash, or after worse.</summary>
public sealed class JournalFileTests
{
    private static readonly byte[][] Records = [[1], [], [.. Enumerable.Range(0, 300).Select(i => (byte)i)], [7, 7, 7], [9]];

    private TempFolder _folder = null!;

    private string Name => Path.Join(_folder.Path, "sub", "job.journal");

    [SetUp]
    public void CreateFolder() => _folder = new TempFolder();

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [Test]
    public void Several_at_once_are_written_as_one_by_one_or_not_at_all()
    {
        var whole = Write();
        File.Delete(Name);
        using (var journal = JournalFile.Open(Name, _ => true))
        {
            Assert.That(() => journal.Append([[3], new byte[JournalFile.MostLength + 1]]), Throws.InstanceOf<IOException>());
            journal.Append(Records[..2]);
            journal.Append(Records[2..]);
        }
        Assert.That(File.ReadAllBytes(Name), Is.EqualTo(whole));
    }

    [Test]
    public void Cut_off_anywhere_it_holds_what_was_whole_and_takes_more()
    {
        var whole = Write();
        for (var length = 0; length <= whole.Length; length++)
        {
            File.WriteAllBytes(Name, whole[..length]);
            var read = Read(journal => journal.Append([42]));
            Assert.That(Records.Take(read.Count), Is.EqualTo(read), $"cut at {length}");
            Assert.That(Read()[^1], Is.EqualTo(new byte[] { 42 }), $"cut at {length}");
        }
        File.WriteAllBytes(Name, whole);
        Assert.That(Read(), Is.EqualTo(Records));
    }

    [Test]
    public void A_changed_byte_ends_the_reading_before_it()
    {
        var whole = Write();
        for (var at = 19; at < whole.Length; at++)
        {
            byte[] changed = [.. whole];
            changed[at] ^= 0x10;
            File.WriteAllBytes(Name, changed);
            var read = Read();
            Assert.That(read, Has.Count.LessThan(Records.Length), $"changed at {at}");
            Assert.That(Records.Take(read.Count), Is.EqualTo(read), $"changed at {at}");
        }
    }

    [Test]
    public void What_could_not_be_read_back_is_not_written()
    {
        var longest = new byte[JournalFile.MostLength];
        using (var journal = JournalFile.Open(Name, _ => true))
        {
            Assert.That(() => journal.Append([.. longest, 1]), Throws.InstanceOf<IOException>());
            journal.Append(longest);
            journal.Append([42]);
        }
        Assert.That(Read().Select(record => record.Length), Is.EqualTo(new[] { longest.Length, 1 }));
    }

    [Test]
    public void What_is_no_journal_is_left_alone()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Name)!);
        File.WriteAllText(Name, "the only copy of a thesis");
        Assert.That(() => JournalFile.Open(Name, _ => true), Throws.InstanceOf<IOException>());
        Assert.That(File.ReadAllText(Name), Is.EqualTo("the only copy of a thesis"));
    }

    [Test]
    public void Two_runs_cannot_have_it_at_once()
    {
        using var first = JournalFile.Open(Name, _ => true);
        Assert.That(() => JournalFile.Open(Name, _ => true), Throws.InstanceOf<IOException>());
    }

    [Test]
    public void A_record_that_makes_no_sense_ends_the_reading()
    {
        Write();
        var seen = 0;
        using (JournalFile.Open(Name, _ => ++seen < 3))
        {
        }
        Assert.That(Read(), Is.EqualTo(Records.Take(2)));
    }

    [Test]
    public void Written_anew_it_never_holds_nothing()
    {
        var whole = Write();
        byte[][] anew = [[5], [6, 6]];
        using (var journal = JournalFile.Open(Name, _ => true)) journal.Rewrite(anew);
        Assert.That(Read(), Is.EqualTo(anew));
        var written = File.ReadAllBytes(Name);
        // Killed before the rest was cut off.
        File.WriteAllBytes(Name, [.. written, .. whole[written.Length..]]);
        Assert.That(Read(), Is.EqualTo(anew));
    }

    private byte[] Write()
    {
        using (var journal = JournalFile.Open(Name, _ => true))
        {
            foreach (var record in Records) journal.Append(record);
        }
        return File.ReadAllBytes(Name);
    }

    private List<byte[]> Read(Action<JournalFile>? then = null)
    {
        var read = new List<byte[]>();
        using var journal = JournalFile.Open(Name, record =>
        {
            read.Add(record.ToArray());
            return true;
        });
        then?.Invoke(journal);
        return read;
    }
}
