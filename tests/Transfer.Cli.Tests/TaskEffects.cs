using System.Text;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>The effects of the commands of docs/tasks.md, by task: on the server's files, on those here, or in the output.</summary>
internal sealed class TaskEffects(MemoryStore store, TempFolder folder, CliResult result)
{
    private const string Css = "/www/css/main.css";

    /// <summary>The check of each task.</summary>
    public static readonly IReadOnlyDictionary<string, Action<TaskEffects>> Of = new Dictionary<string, Action<TaskEffects>>
    {
        ["send a file"] = it => it.There("/in/report.pdf", "report.pdf"),
        ["send a file under another name"] = it => it.There("/in/may.pdf", "report.pdf"),
        ["send several files"] = it => it.There("/in/report.pdf", "report.pdf").There("/in/a.csv", "a.csv"),
        ["send a folder"] = Sent,
        ["send standard input"] = it => it.There("/in/dump.sql", "content"),
        ["send without replacing what is there"] = it => it.There("/www/index.html", "/www/index.html\n").There(Css, "site/css/main.css"),
        ["send only what is newer"] = Sent,
        ["see what would be sent"] = it => it.Says("main.css").NotThere(Css),
        ["leave files out"] = it => it.There(Css, "site/css/main.css").NotThere("/www/draft.tmp"),
        ["send some kinds of files only"] = it => it.There("/www/index.html", "site/index.html").NotThere(Css),
        ["keep patterns in a file"] = it => it.There(Css, "site/css/main.css").NotThere("/www/draft.tmp"),
        ["send the files that a list names"] = it => it.There(Css, "site/css/main.css").NotThere("/www/draft.tmp"),
        ["send what was modified lately"] = Sent,
        ["send no large files"] = Sent,
        ["keep permissions"] = Sent,
        ["go on after an interruption"] = Sent,
        ["limit the rate"] = Sent,
        ["limit the rate by day"] = Sent,
        ["prove that content arrived"] = it => it.There("/in/report.pdf", "report.pdf"),
        ["keep replaced files"] = it => it.There("/www/report.pdf", "report.pdf"),
        ["move files to a server"] = it => it.There(Css, "site/css/main.css").NotHere("site/css/main.css"),
        ["send, and archive here"] = it => it.There(Css, "site/css/main.css").Here("site/sent/css/main.css", "site/css/main.css"),
        ["fetch a file"] = it => it.Here("down/a.csv", "/in/a.csv\n"),
        ["fetch a folder"] = it => it.Here("down/sub/c.csv", "/in/sub/c.csv\n"),
        ["fetch files by a pattern"] = it => it.Here("down/b.csv", "/in/b.csv\n").NotHere("down/sub/c.csv"),
        ["fetch by a pattern in several folders"] = it => it.Here("down/a.csv", "/in/a.csv\n").Here("down/today.log", "/logs/today.log\n"),
        ["fetch the newest file"] = it => it.Here("down/today.log", "/logs/today.log\n"),
        ["fetch what a list names"] = it => it.Here("down/sub/c.csv", "/in/sub/c.csv\n").NotHere("down/b.csv"),
        ["print a file"] = it => it.Prints("/in/a.csv\n"),
        ["print several files"] = it => it.Prints("/in/a.csv\n/in/b.csv\n"),
        ["print a part of a file"] = it => it.Prints("/backup/full.tar\n"),
        ["print the last lines"] = it => it.Prints("/logs/today.log\n"),
        ["fetch, and archive at the server"] = it => it.Here("down/a.csv", "/in/a.csv\n").There("/in/done/a.csv", "/in/a.csv\n"),
        ["fetch and delete"] = it => it.Here("down/a.csv", "/in/a.csv\n").NotThere("/in/a.csv"),
        ["make a folder at a server like mine"] = Sent,
        ["make my folder like a server's"] = it => it.Here("mirror/index.html", "/www/index.html\n").NotHere("mirror/a.csv"),
        ["see what a synchronization would do"] = it => it.Says("main.css").NotThere(Css),
        ["limit deletions"] = Sent,
        ["keep what is replaced or deleted"] = it => it.IsKept("/old/"),
        ["compare by content"] = Sent,
        ["list differences"] = it => it.Tells("1 same"),
        ["prove that everything of mine is there"] = it => it.Tells("1 same"),
        ["print hashes"] = it => it.Says("a.csv"),
        ["send files as they appear, and archive here"] = Follows,
        ["send files that have a trigger file"] = Follows,
        ["fetch files as they appear"] = Follows,
        ["keep a server like a folder of mine"] = Follows,
        ["list a folder"] = it => it.Prints("a.csv\nb.csv\nsub\n"),
        ["list with sizes and times, the newest first"] = it => it.Says(" a.csv\n"),
        ["list all folders below"] = it => it.Says("sub/c.csv\n"),
        ["list for a program"] = it => it.Says("\"path\":\"/in/a.csv\""),
        ["list several folders"] = it => it.Says("a.csv\n").Says("today.log\n"),
        ["describe a file"] = it => it.Says("size      10\n"),
        ["find files by name"] = it => it.Says("in/sub/c.csv\n"),
        ["find large files"] = it => it.Prints(string.Empty),
        ["find old files"] = it => it.Says("today.log\n"),
        ["draw a tree"] = it => it.Says("c.csv\n"),
        ["add up sizes"] = it => it.Says("in"),
        ["see the free space"] = it => it.Says("available"),
        ["make a folder"] = it => it.IsFolder("/in/2031/05"),
        ["make several folders"] = it => it.IsFolder("/new/a").IsFolder("/new/b"),
        ["rename a file"] = it => it.There("/in/may.csv", "/in/a.csv\n").NotThere("/in/a.csv"),
        ["move a file to another folder"] = it => it.There("/logs/a.csv", "/in/a.csv\n").NotThere("/in/a.csv"),
        ["delete a file"] = it => it.NotThere("/in/a.csv").IsKept("/in/b.csv"),
        ["delete several files"] = it => it.NotThere("/in/a.csv").NotThere("/in/b.csv"),
        ["delete by a pattern"] = it => it.NotThere("/in/a.csv").NotThere("/in/b.csv").IsKept("/in/sub/c.csv"),
        ["delete a folder"] = it => it.NotThere("/in/sub").IsKept("/in/a.csv"),
        ["delete what a list names"] = it => it.NotThere("/in/a.csv").NotThere("/in/sub/c.csv").IsKept("/in/b.csv"),
        ["change permissions"] = it => it.HasMode("/www/index.html", 0b110_100_100),
        ["copy between servers"] = it => it.There("/copy/sub/c.csv", "/in/sub/c.csv\n").IsKept("/in/sub/c.csv"),
        ["move between servers"] = it => it.There("/copy/sub/c.csv", "/in/sub/c.csv\n").NotThere("/in/sub/c.csv"),
        ["run many commands over one connection"] = it => it.Prints("/in/sub/c.csv\n"),
        ["give a script a value"] = it => it.Prints("/in/sub/c.csv\n"),
        ["type commands at a prompt"] = it => it.Tells("/in/> "),
        ["have a program send commands"] = it => it.Prints("c.csv\n"),
        ["keep a log"] = it => it.Logs("\tsent\t"),
        ["keep a log for programs"] = it => it.Logs("\"action\":\"sent\""),
        ["follow each item in a program"] = it => it.Says("\"action\":\"sent\"").Says("\"action\":\"summary\""),
        ["name each file as it is sent"] = it => it.Tells("main.css"),
        ["see what is said to the server"] = it => it.Tells("USER"),
        ["have no output but errors"] = Sent,
        ["end before the office opens"] = Sent,
        ["send no more than a quota"] = Sent,
        ["give a server few sessions"] = Sent,
        ["learn about a verb"] = it => it.Says("Usage: transfer sync"),
        ["complete words in a shell"] = it => it.Says("_transfer"),
        ["read the manual"] = it => it.Says(".TH"),
    };

    private static void Sent(TaskEffects it) => it.There("/www/index.html", "site/index.html").There(Css, "site/css/main.css");

    // Interrupted at some moment: WatchTests see what is done.
    private static void Follows(TaskEffects it) => it.Tells(" files, ");

    private TaskEffects There(string path, string content) =>
        Check(store.Exists(path) ? Encoding.UTF8.GetString(store.ReadFile(path)) : null, content, path);

    private TaskEffects NotThere(string path) => Check(store.Exists(path), false, path);

    private TaskEffects IsKept(string path) =>
        Check(store.Files.Any(file => file.StartsWith(path, StringComparison.Ordinal)), true, path);

    private TaskEffects IsFolder(string path) => Check(store.Directories.Contains(path), true, path);

    private TaskEffects HasMode(string path, int mode) => Check((int?)store.GetAsync(path).AsTask().Result?.Mode, mode, path);

    private TaskEffects Here(string path, string content) =>
        Check(File.Exists(folder[path]) ? File.ReadAllText(folder[path]) : null, content, path);

    private TaskEffects NotHere(string path) => Check(File.Exists(folder[path]), false, path);

    private TaskEffects Prints(string output) => Check(result.Output, output, "output");

    private TaskEffects Says(string part)
    {
        Assert.That(result.Output, Does.Contain(part), result.ToString());
        return this;
    }

    private TaskEffects Tells(string part)
    {
        Assert.That(result.Error, Does.Contain(part), result.ToString());
        return this;
    }

    private TaskEffects Logs(string part)
    {
        Assert.That(File.ReadAllText(folder["run.log"]), Does.Contain(part), result.ToString());
        return this;
    }

    private TaskEffects Check<T>(T actual, T expected, string what)
    {
        Assert.That(actual, Is.EqualTo(expected), $"{what}: {string.Join(' ', store.Files)}\n{result}");
        return this;
    }
}
