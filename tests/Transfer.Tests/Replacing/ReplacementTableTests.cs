using Transfer.Replacing;

namespace Transfer.Tests.Replacing;

/// <summary>The decisions as a table: what is known and asked for, each answer, the steps that follow, and the end.</summary>
[TestFixture]
[Parallelizable(ParallelScope.All)]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ReplacementTableTests
{
    private const string Temporary = "/d/.t.part";

    // p: publish onto an existing file; n: publish, nothing may be replaced; m: move with replace; o: move without. Names: T temporary or
    // source, A target, S second temporary, O aside.
    // Answers: + done, - refused, s source refused, d denied, l later, u unsupported, w without effect; F file, D folder, 0 absent,
    // ? unknown, M the new file, N one of another length; x nothing to say (a wait).
    public static readonly TestCaseData[] Rows =
    [
        Row("one step", "p", "T>A +", "done Renamed"),
        Row("refused for now", "p", "T>A l, look F0", "failed, T goes"),
        Row("refused for now, and the target cannot be looked at", "p", "T>A l, look F?", "failed, T goes"),
        Row("refused for now, and nothing is to be replaced", "n", "T>A l", "failed, T goes"),
        Row("refused for now by all names", "p", "T>A l, look FF, T>S l", "failed, T goes"),
        Row("refused for now, and for good by the second name", "p", "T>A l, look FF, T>S -", "failed, T goes"),
        Row("refused for now where there is a file, and accepted once it is aside", "p",
            "T>A l, look FF, T>S +, A>O +, S>A +, look M, del O +", "done"),
        Row("no such command", "p", "T>A u, look F0", "direct, T goes NoRenameCommand"),
        Row("no such command, and none for another name", "p", "T>A u, look FF, T>S u", "direct, T goes NoRenameCommand"),
        Row("no such command for a name that exists", "p", "T>A u, look FF, T>S +, A>O +, S>A +, look M, del O +", "done NeedsAside"),
        Row("done, and yet said to be no command", "p", "T>A u, look 0M", "done"),
        Row("confirmed without effect", "p", "T>A w, look F0", "direct, T goes NoRenameCommand"),
        Row("confirmed without effect for a name that exists", "p", "T>A w, look FF, T>S +, A>O +, S>A +, look M, del O +",
            "done NeedsAside"),
        Row("confirmed, and seen to have come late", "p", "T>A w, look 0M", "done"),
        Row("refused, and the second name is confirmed without effect", "p", "T>A -, look FF, T>S w", "direct, T goes NoRenameCommand"),
        Row("refused, moved aside, accepted", "p", "T>A -, look FF, T>S +, A>O +, S>A +, look M, del O +", "done NeedsAside"),
        Row("refused, and the aside cannot be deleted", "p", "T>A -, look FF, T>S +, A>O +, S>A +, look M, del O -",
            "done NeedsAside, O left"),
        Row("said to be renamed, and nothing is there", "p", "T>A -, look FF, T>S +, A>O +, S>A +, look 0, O>A +", "failed, S goes"),
        Row("said to be renamed, and not to be seen", "p", "T>A -, look FF, T>S +, A>O +, S>A +, look ?", "done NeedsAside, O left"),
        Row("locked", "p", "T>A -, look FF, T>S +, A>O -", "failed, S goes"),
        Row("locked for now", "p", "T>A -, look FF, T>S +, A>O l", "failed, S goes"),
        Row("refused after it was moved aside, and put back", "p", "T>A -, look FF, T>S +, A>O +, S>A -, O>A +", "failed, S goes"),
        Row("refused for now after it was moved aside, and put back", "p", "T>A -, look FF, T>S +, A>O +, S>A l, O>A +", "failed, S goes"),
        Row("not to be put back either", "p", "T>A -, look FF, T>S +, A>O +, S>A -, O>A -, wait, O>A -, wait, O>A -, wait, O>A -",
            "failed, O S kept, O left"),
        Row("put back at the second attempt", "p", "T>A -, look FF, T>S +, A>O +, S>A -, O>A -, wait, O>A +", "failed, S goes"),
        Row("refused as if there were no source", "p", "T>A s, look FF, T>S +, A>O +, S>A +, look M, del O +", "done NeedsAside"),
        Row("denied for another reason", "p", "T>A d, look FF, T>S +", "failed, S goes"),
        Row("a name that is not allowed", "p", "T>A -, look F0, T>S +", "failed, S goes"),
        Row("a target that cannot be looked at", "p", "T>A -, look F?, T>S +", "failed, S goes"),
        Row("no rename at all", "p", "T>A -, look FF, T>S -", "direct, T goes TemporaryNotRenamed"),
        Row("no rename at all, for the source's sake", "p", "T>A s, look FF, T>S s", "direct, T goes TemporaryNotRenamed"),
        Row("no rename for now", "p", "T>A -, look FF, T>S l", "failed, T goes"),
        Row("a folder has the name", "p", "T>A -, look FD", "exists, T goes"),
        Row("refused though done", "p", "T>A -, look 0M", "done"),
        Row("something else has deleted the temporary file", "p", "T>A s, look 0M", "notfound"),
        Row("the temporary file is gone, and the old one is there", "p", "T>A s, look 0F", "notfound"),
        Row("known to need it: a look, then both together", "p+", "look F, A>O&T>A ++, look M, del O +", "done"),
        Row("known to need it, a new name", "p+", "look 0, T>A +", "done Renamed"),
        Row("known to need it, a folder", "p+", "look D", "exists, T goes"),
        Row("known to need it, locked", "p+", "look F, A>O&T>A --, look FF, T>S +, A>O -", "failed, S goes"),
        Row("known to need it, replaced all the same", "p+", "look F, A>O&T>A -+", "done"),
        Row("known to need it, refused behind it", "p+", "look F, A>O&T>A +-, O>A +", "failed, T goes"),
        Row("known to rename nothing", "p!", "", "direct, T goes"),
        Row("nothing is to be replaced, and something came", "n", "T>A -, look FF", "exists, T goes"),
        Row("nothing is to be replaced, and nothing is there", "n", "T>A -, look F0, T>S -", "direct, T goes TemporaryNotRenamed"),

        Row("in doubt: it was renamed", "pd", "look 0M", "done"),
        Row("in doubt: it was not, and is", "pd", "look FF, wait, look FF, wait, look FF, wait, look FF, T>A +", "done Renamed"),
        Row("in doubt: it comes late", "pd", "look FF, wait, look 0M", "done"),
        Row("in doubt: nothing is left of it", "pd", "look 00", "notfound"),
        Row("in doubt: the old one is aside, and the new one not there", "pdO",
            "look F0F, wait, look F0F, wait, look F0F, wait, look F0F, T>A +, look M, del O +", "done NeedsAside"),
        Row("in doubt: the old one is aside, the new one in place", "pdO", "look 0MF, look M, del O +", "done"),
        Row("in doubt: the old one is aside, and the new one lost", "pdO", "look 00F, O>A +", "notfound"),
        Row("in doubt: the old one is aside, the new one lost, and it cannot be put back", "pdO", "look 00F, O>A -",
            "failed, O kept, O left"),

        Row("a move", "m", "look F0, T>A +", "done Renamed"),
        Row("a move onto a file", "m", "look FM, T>A +", "done Renamed"),
        Row("a move onto a file that may be the same, and is not", "m", "look FF, T>A +, look 0F", "done Renamed"),
        Row("a move onto another hard link", "m", "look FF, T>A +, look FF, A>O +, look F, T>A +, look M, del O +", "done"),
        Row("a move onto another hard link, where it is known to be needed", "m+",
            "look FF, A>O&T>A -+, look FF, A>O +, look F, T>A +, look M, del O +", "done"),
        Row("a move onto another hard link, seen to have no effect", "m",
            "look FF, T>A w, look FF, A>O +, look F, T>A +, look M, del O +", "done"),
        Row("a move onto another hard link, seen to have no effect where an aside is known to be needed", "m+",
            "look FF, A>O&T>A -w, look FF, A>O +, look F, T>A +, look M, del O +", "done"),
        Row("a move onto a file that may be the same, at a server that renames nothing", "m", "look FF, T>A w, look FF, A>O w", "failed"),
        Row("a move onto another file, at a server that renames nothing", "m", "look FM, T>A w, look FM, A>O w",
            "failed NoRenameCommand"),
        Row("a move onto another hard link, which cannot be moved aside", "m", "look FF, T>A +, look FF, A>O -", "failed"),
        Row("a move onto another hard link that is refused behind it", "m", "look FF, T>A +, look FF, A>O +, look F, T>A -, O>A +",
            "failed"),
        Row("a move onto another hard link that is refused and cannot be put back", "m",
            "look FF, T>A +, look FF, A>O +, look F, T>A -, O>A -, wait, O>A -, wait, O>A -, wait, O>A -", "failed, O T kept, O left"),
        Row("a move onto the same name by another path", "m", "look FF, T>A +, look FF, A>O +, look 0, O>A +", "done"),
        Row("a move onto the same name by another path, which cannot be put back", "m", "look FF, T>A +, look FF, A>O +, look 0, O>A -",
            "failed, O kept, O left"),
        Row("a move onto a file that is refused", "m", "look FF, T>A -, look FF, A>O +, T>A +, look M, del O +", "done NeedsAside"),
        Row("a move onto a file that is denied", "m", "look FF, T>A d, look FF", "failed"),
        Row("a move onto a file that is refused for now", "m", "look FF, T>A l, look FF, A>O +, T>A +, look M, del O +", "done"),
        Row("a move onto a file, without the command", "m", "look FF, T>A u, look FF, A>O u", "failed NoRenameCommand"),
        Row("a move onto a file for which the source cannot be moved", "m", "look FF, T>A s, look FF", "failed"),
        Row("a move of a link onto a file to which the link may lead", "mL", "look FM", "exists"),
        Row("a move of a link onto a file of which nothing is known", "mL", "look FF", "exists"),
        Row("a move of a link onto another file", "mL", "look FN, T>A +", "done Renamed"),
        Row("a move of a link to a free name", "mL", "look F0, T>A +", "done Renamed"),
        Row("a move of nothing", "m", "look 0F", "notfound"),
        Row("a folder onto a file", "m", "look DF", "exists"),
        Row("a file onto a folder", "m", "look FD", "exists"),
        Row("a folder onto a folder", "m", "look DD", "exists"),
        Row("a move onto what cannot be looked at", "m", "look F?", "failed"),
        Row("a move that may replace nothing", "o", "look FF", "exists"),
        Row("a folder", "o", "look D0, T>A +", "done Renamed"),
        Row("the same name", "m=", "look F", "done"),
        Row("the same name, and nothing there", "m=", "look 0", "notfound"),
        Row("another casing of the same file", "mc", "look FF, T>O +, look 0, O>A +", "done"),
        Row("another casing of the same folder", "oc", "look DD, T>O +, look 0, O>A +", "done"),
        Row("another casing of the same file, refused", "mc", "look FF, T>O +, look 0, O>A -, O>T +", "failed"),
        Row("another casing of the same file, and it cannot be put back", "mc", "look FF, T>O +, look 0, O>A -, O>T -",
            "failed, O kept, O left"),
        Row("another casing, but another file, which may be replaced", "mc", "look FM, T>O +, look F, O>T +, T>A +", "done Renamed"),
        Row("another casing, but another file", "oc", "look FF, T>O +, look F, O>T +", "exists"),
        Row("another casing, and the third name does not tell", "mc", "look FF, T>O +, look ?, O>T +", "failed"),
        Row("another casing, which is free", "mc", "look F0, T>A +", "done Renamed"),
    ];

    [TestCaseSource(nameof(Rows))]
    public void Steps(string setting, string script, string end)
    {
        var run = new TableRun(setting);
        foreach (var line in script.Split(", ", StringSplitOptions.RemoveEmptyEntries)) run.Answer(line);
        Assert.That(run.End, Is.EqualTo(end));
    }

    [Test]
    public void Before_anything_is_moved_aside_its_name_is_asked_for_and_one_that_would_be_too_long_moves_nothing()
    {
        var names = new AsideNames(new TemporaryNames());
        Assert.That(names.AsideOf("/d/" + new string('é', 120)), Is.Null);
        var aside = names.AsideOf("/d/a.txt")!;
        Assert.That(AsideNames.OriginalOf(RemotePath.GetName(aside)), Is.EqualTo("a.txt"));
        Assert.That(RemotePath.GetParent(aside), Is.EqualTo("/d"));
        Assert.That(TemporaryNames.IsTemporary(RemotePath.GetName(aside)), Is.False, "no cleaner of leftovers may match it");
    }

    [Test]
    public void Two_temporary_files_that_could_not_be_renamed_prove_what_one_does_not()
    {
        var memory = new ReplacementMemory();
        memory.Learn("/d/a", ReplacementLesson.TemporaryNotRenamed);
        Assert.That(memory.Of("/d/b"), Is.EqualTo(ReplacementKnowledge.None));
        memory.Learn("/d/a", ReplacementLesson.Renamed);
        memory.Learn("/d/a", ReplacementLesson.TemporaryNotRenamed);
        Assert.That(memory.Of("/d/b"), Is.EqualTo(ReplacementKnowledge.None), "a rename in between disproves the first");
        memory.Learn("/d/b", ReplacementLesson.TemporaryNotRenamed);
        Assert.That(memory.Of("/d/c"), Is.EqualTo(ReplacementKnowledge.NoRename));
        Assert.That(memory.Of("/e/c"), Is.EqualTo(ReplacementKnowledge.None), "another folder is another");
    }

    private static TestCaseData Row(string name, string setting, string script, string end) =>
        new TestCaseData(setting, script, end).SetArgDisplayNames($"{name} ({setting})");

    /// <summary>One replacement, driven by a row.</summary>
    private sealed class TableRun : IAsideLog
    {
        private readonly Replacement _replacement;
        private readonly Dictionary<string, char> _letters = [];
        private readonly string _source;
        private readonly string _target;

        public TableRun(string setting)
        {
            var isMove = setting[0] is 'm' or 'o';
            _source = setting.Contains('c', StringComparison.Ordinal) ? "/d/A" : isMove ? "/d/source" : Temporary;
            _target = setting.Contains('=', StringComparison.Ordinal) ? _source : "/d/a";
            foreach (var (path, letter) in new[] { (_source, 'T'), ("/d/second", 'S'), ("/d/aside", 'O') }) _letters[path] = letter;
            _letters.TryAdd(_target, 'A');
            var knowledge = setting.Contains('+', StringComparison.Ordinal) ? ReplacementKnowledge.NeedsAside
                : setting.Contains('!', StringComparison.Ordinal) ? ReplacementKnowledge.NoRename : default;
            _replacement = new Replacement(
                new Renaming(_source, _target)
                {
                    IsTemporary = !isMove,
                    Replace = setting[0] is 'p' or 'm',
                    IsLink = setting.Contains('L', StringComparison.Ordinal),
                    LinkEnd = new NameSight(NameState.File, 5),
                    Length = 5,
                    InDoubt = setting.Contains('d', StringComparison.Ordinal),
                    Trace = setting.Contains('O', StringComparison.Ordinal) ? new RenamingTrace("/d/aside", null, null) : default,
                    Asides = this,
                },
                knowledge);
        }

        public string End
        {
            get
            {
                if (_replacement.Result is not { } result) return "goes on: " + string.Join(", ", _replacement.Next);
                var kind = result.Error switch
                {
                    null => "done",
                    { NeedsDirectPublish: true } => "direct",
                    { Error: TransferError.Exists } => "exists",
                    { Error: TransferError.NotFound } => "notfound",
                    _ => "failed",
                };
                if (result.Error is { Kept.Count: > 0 } error)
                    kind += $", {string.Join(' ', error.Kept.Select(path => _letters[path]))} kept";
                if (result.Discard is { } discard) kind += $", {_letters[discard]} goes";
                if (_replacement.Lesson != ReplacementLesson.None) kind += $" {_replacement.Lesson}";
                return result.Aside is { } aside ? $"{kind}, {_letters[aside]} left" : kind;
            }
        }

        public void Answer(string line)
        {
            var (step, answers) = line.Split(' ') switch
            {
                [var only] => (only, string.Empty),
                ["look", var sights] => ("look", sights),
                ["del", var file, var answer] => ($"del {file}", answer),
                [var renames, var replies] => (renames, replies),
                _ => throw new ArgumentException(line),
            };
            Assert.That(string.Join('&', _replacement.Next.Select(Describe)), Is.EqualTo(step), "the next step");
            switch (_replacement.Next)
            {
                case [ReplacementStep.Wait]:
                    _replacement.Waited();
                    break;
                case [ReplacementStep.Look]:
                    _replacement.Take([.. answers.Select(Sight)]);
                    break;
                case [ReplacementStep.Delete]:
                    _replacement.Take(answers == "+" ? null : Error);
                    break;
                default:
                    _replacement.Take([.. answers.Select(Reply)]);
                    break;
            }
        }

        public string? AsideOf(string path) => "/d/aside";

        public string TemporaryBeside(string path) => "/d/second";

        public RenamingTrace Trace(string from, string to) => default;

        public void Began(string path, string aside) => throw new InvalidOperationException("The driver's.");

        public void Ended(string path, string aside) => throw new InvalidOperationException("The driver's.");

        private static TransferException Error => new(TransferError.Denied, "no");

        private string Describe(ReplacementStep step) => step switch
        {
            ReplacementStep.Rename rename => $"{_letters[rename.From]}>{_letters[rename.To]}",
            ReplacementStep.Delete delete => $"del {_letters[delete.Path]}",
            ReplacementStep.Look => "look",
            _ => "wait",
        };

        private static NameSight Sight(char letter) => letter switch
        {
            'F' => new(NameState.File),
            'M' => new(NameState.File, 5),
            'N' => new(NameState.File, 6),
            'D' => new(NameState.Directory),
            '0' => NameSight.Absent,
            _ => default,
        };

        private static RenameReply Reply(char letter) => letter switch
        {
            '+' => new(RenameAnswer.Done),
            '-' => new(RenameAnswer.Refused, Error),
            's' => new(RenameAnswer.SourceRefused, Error),
            'd' => new(RenameAnswer.Denied, Error),
            'l' => new(RenameAnswer.Later, Error),
            'w' => new(RenameAnswer.WithoutEffect, Error),
            _ => new(RenameAnswer.Unsupported, Error),
        };
    }
}
