using Transfer.TestSupport.Ssh;

namespace Transfer.Cli.Tests;

/// <summary>What is refused before anything is connected. The hosts named here do not exist and are never looked up.</summary>
public sealed class UsageTests
{
    private const string Url = "ftp://h.invalid/x";
    private const string Tls = "ftpes://h.invalid/x";
    private const string Pin = "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    private static readonly TempFolder Folder = new();

    private static IEnumerable<string> VerbNames() => CommandLine.Verbs.Select(verb => verb.Name);
    private static readonly string File = Folder.Add("file.txt", "content");
    private static readonly string PublicKey = Folder.Add("id.pub", TestKeys.Ed25519Public);
    private static readonly string Key = Folder.AddPrivate("shared.key", "shared:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");

    [OneTimeTearDown]
    public void Clean() => Folder.Dispose();

    public static IEnumerable<TestCaseData> Refusals()
    {
        yield return Refusal("verb");
        yield return Refusal("no verb", "upload", "a", Url);
        yield return Refusal("behind the verb", "--quiet", "put", File, Url);
        yield return Refusal("no option '--watch'", "put", "--watch", File, Url);
        yield return Refusal("no option '--keep'", "put", "--keep", File, Url);
        foreach (var option in (string[])["--to", "--as", "--key-file"])
            yield return Refusal($"no option '{option}'", "get", option, "1", Url, Folder.Path);
        yield return Refusal("--limit wants bytes", "put", "--limit", "fast", File, Url);
        yield return Refusal("--limit wants a byte a second", "get", "--limit", "0", Url, Folder.Path);
        foreach (var table in (string[])["08:00,1M,2M", "25:00,1M", "Xyz-08:00,1M", "08:00,1M 18:00", "-08:00,1M"])
            yield return Refusal("--limit wants a rate, or times with rates", "put", $"--limit={table}", File, Url);
        yield return Refusal("two rates begin at the same time", "put", "--limit", "Mon-8:00,1M mon-08:00,off", File, Url);
        yield return Refusal("--limit wants a byte a second", "put", "--limit", "08:00,0 9:00,off", File, Url);
        yield return Refusal("needs a server that runs commands", "put", "--batch", "on", File, Url);
        yield return Refusal("needs a server that runs commands", "get", "--batch", "on", Url, Folder.Path);
        yield return Refusal("--batch on is for folders", "put", "--batch", "on", File, "sftp://host.invalid/");
        yield return Refusal("--batch on and --fsync contradict", "put", "--batch", "on", "--fsync", Folder.Path, "sftp://host.invalid/");
        yield return Refusal("--batch on and --verify hash contradict", "get", "--batch", "on", "--verify", "hash",
            "sftp://host.invalid/x/", Folder.Path);
        yield return Refusal("--batch on and --map-names contradict", "put", "--batch", "on", "--map-names", "windows", Folder.Path,
            "sftp://host.invalid/");
        yield return Refusal("--batch on and --links follow contradict", "get", "--batch", "on", "--links", "follow",
            "sftp://host.invalid/x/", Folder.Path);
        yield return Refusal("--batch is for put and get", "ls", "--batch", "on", Url);
        yield return Refusal("--max-delete says nothing without --delete", "sync", "--max-delete", "5", Folder.Path, Url);
        foreach (var limit in (string[])["-1", "x", "101%", "%", "1.5", "-1%"])
            yield return Refusal("--max-delete", "sync", "--delete", $"--max-delete={limit}", Folder.Path, Url);
        yield return Refusal("no option '--max-delete'", "put", "--max-delete", "5", File, Url);
        yield return Refusal("--wait wants seconds", "put", "--wait", "long", File, Url);
        yield return Refusal("says nothing without --log", "put", "--log-format", "text", File, Url);
        yield return Refusal("--log-format wants", "put", "--log", Folder["l"], "--log-format", "xml", File, Url);
        yield return Refusal("--log wants a file", "put", "--log", "-", File, Url);
        yield return Refusal("cannot be written", "put", "--log", Folder["none/l"], File, Url);
        yield return Refusal("contradict", "put", "--quiet", "-vv", File, Url);
        yield return Refusal("-t and -S contradict", "ls", "-t", "-S", Url);
        yield return Refusal("-R and -d contradict", "ls", "-R", "-d", Url);
        yield return Refusal("--type wants", "find", "--type", "x", Url);
        yield return Refusal("--name wants", "find", "--name", "", Url);
        yield return Refusal("--max-depth wants", "find", "--max-depth", "0", Url);
        yield return Refusal("--json contradict", "find", "-0", "--json", Url);
        yield return Refusal("takes the pattern", "find", "ftp://h.invalid/*");
        yield return Refusal("no pattern", "tree", "ftp://h.invalid/*");
        yield return Refusal("contradict", "du", "-s", "--max-depth", "1", Url);
        yield return Refusal("missing", "df");
        foreach (var range in (string[])["", "5", "-", "5-2", "x-", "1-y"])
            yield return Refusal("--range wants", "cat", $"--range={range}", Url);
        yield return Refusal("a folder", "cat", "ftp://h.invalid/d/");
        yield return Refusal("tail wants one file", "tail", "ftp://h.invalid/d/");
        yield return Refusal("--lines and --bytes contradict", "tail", "-n", "1", "-c", "1", Url);
        yield return Refusal("--lines wants", "tail", "-n", "x", Url);
        yield return Refusal("--interval says nothing", "tail", "--interval", "1", Url);
        yield return Refusal("--interval wants", "tail", "-f", "--interval", "0", Url);
        yield return Refusal("--algorithm wants", "hash", "--algorithm", "x", Url);
        yield return Refusal("missing", "hash");
        yield return Refusal("check wants", "check", Url);
        yield return Refusal("contradict", "check", "--hash", "--compare", "size", Folder.Path, Url);
        yield return Refusal("--timeout is for servers", "check", "--timeout", "5", Folder.Path, Folder.Path);
        var badFilter = Folder.Add("filter", "*.txt");
        yield return Refusal("line 1", "put", "--filter-from", badFilter, Folder.Path, Url);
        yield return Refusal("cannot be read", "put", "--filter-from", Folder["none"], Folder.Path, Url);
        yield return Refusal("contradict", "put", "--files-from", "-", "--files-from0", "-", Folder.Path, Url);
        yield return Refusal("there is no file", "put", "--files-from", Folder["none"], Folder.Path, Url);
        yield return Refusal("one source", "put", "--files-from", File, File, Url);
        yield return Refusal("one URL", "get", "--files-from", File, Url, Url, Folder.Path);
        yield return Refusal("no dry run", "put", "--files-from", File, "--dry-run", Folder.Path, Url);
        yield return Refusal("a list names files", "rm", "-r", "--files-from", File, Url);
        yield return Refusal("both sides are local", "copy", "--files-from", File, Folder.Path, Folder.Path);
        yield return Refusal("--newest wants", "get", "--newest", "0", Url, Folder.Path);
        yield return Refusal("--newest is for files", "put", "--newest", "1", Folder.Path, Url);
        yield return Refusal("--newest is for files", "get", "--newest", "1", "ftp://h.invalid/d/", Folder.Path);
        yield return Refusal("--batch on and --newest contradict", "get", "--batch", "on", "--newest", "1", "sftp://h.invalid/d",
            Folder.Path);
        yield return Refusal("--files-from and --newest contradict", "get", "--files-from", "-", "--newest", "1", Url, Folder.Path);
        yield return Refusal("no option '--newest'", "sync", "--newest", "1", Folder.Path, Url);
        yield return Refusal("standard input has none", "put", "--exclude", "x", "-", Url);
        yield return Refusal("is copy meant?", "cp", File, Url);
        yield return Refusal("is sync meant?", "snyc", Folder.Path, Url);
        yield return Refusal("is --recursive meant?", "rm", "--recursiv", Url);
        yield return Refusal("says nothing without --watch", "sync", "--settle", "1", Folder.Path, Url);
        yield return Refusal("no option '--delete'", "watch", "--delete", Folder.Path, Url);
        yield return Refusal("--watch and --dry-run", "sync", "--watch", "--dry-run", Folder.Path, Url);
        yield return Refusal("--links follow", "watch", "--links", "follow", Folder.Path, Url);
        yield return Refusal("--settle wants", "watch", "--settle", "soon", Folder.Path, Url);
        yield return Refusal("--settle wants", "watch", "--settle", "100000", Folder.Path, Url);
        yield return Refusal("--interval wants", "watch", "--interval", "0", Folder.Path, Url);
        yield return Refusal("--trigger wants", "watch", "--trigger", "a/b", Folder.Path, Url);
        yield return Refusal("watch wants two folders", "watch", Url);
        yield return Refusal("help wants one verb", "help", "put", "get");
        yield return Refusal("is ls meant?", "help", "dir");
        yield return Refusal("contradict each other", "put", "--remove-source", "--move-source-to", "done", File, Url);
        yield return Refusal("--move-source-to wants", "get", "--move-source-to", " ", Url, Folder.Path);
        yield return Refusal("a link is not the file", "put", "--remove-source", "--links", "follow", Folder.Path, Url);
        yield return Refusal("--delete contradicts", "sync", "--remove-source", "--delete", Folder.Path, Url);
        yield return Refusal("- is none", "put", "--remove-source", "-", Url);
        yield return Refusal("- is none", "get", "--remove-source", Url, "-");
        yield return Refusal("--batch on and --remove-source contradict", "put", "--batch", "on", "--remove-source", Folder.Path,
            "sftp://host.invalid/");
        foreach (var duration in (string[])["5", "0s", "x", "3y", "30d"])
            yield return Refusal("--max-duration wants", "put", $"--max-duration={duration}", File, Url);
        foreach (var size in (string[])["much", "0", "0K"])
            yield return Refusal("--max-transfer wants", "sync", "--max-transfer", size, Folder.Path, Url);
        yield return Refusal("--min-size and --max-size contradict", "put", "--min-size", "5", "--max-size", "2", Folder.Path, Url);
        yield return Refusal("--min-size and --max-size contradict", "find", "--min-size", "5", "--max-size", "2", Url);
        foreach (var (newer, older) in new[] { ("1d", "2d"), ("1d", "1d"), ("2026-11-02", "2026-11-01"), ("2026-11-02", "2026-11-02") })
        {
            yield return Refusal("--newer-than and --older-than contradict", "get", "--newer-than", newer, "--older-than", older, Url,
                Folder.Path);
        }
        yield return Refusal("no option '--max-duration'", "cat", "--max-duration", "5s", Url);
        yield return Refusal("--batch wants", "put", "--batch", "maybe", File, Url);

        yield return Refusal("no option '--frobnicate'", "put", "--frobnicate", File, Url);
        yield return Refusal("no option '--frobnicate'", "put", "--frobnicate=1", File, Url);
        yield return Refusal("no option '-x'", "ls", "-x", Url);
        yield return Refusal("no option '-l...'; letters stand apart, as in -l -a;", "ls", "-la", Url);
        yield return Refusal("no option '--json'", "rm", "--json", Url);
        yield return Refusal("no option '--overwrite'", "cat", "--overwrite", "fail", Url);
        yield return Refusal("--user", "ls", Url, "--user");
        yield return Refusal("single argument", "ls", Url, "--user", "a", "--user", "b");

        yield return Refusal("put wants", "put", Url);
        yield return Refusal("is not a URL", "put", File, "somewhere");
        yield return Refusal("sftp://me@h.invalid/~/x/y", "put", File, "me@h.invalid:x/y");
        yield return Refusal("sftp://h.invalid/x%25y", "get", "h.invalid:/x%y", Folder.Path);
        yield return Refusal("sftp://h.invalid/~/x", "sync", Folder.Path, "h.invalid:x");
        yield return Refusal("sftp://h.invalid/~/", "copy", "h.invalid:~/", Folder.Path);
        yield return Refusal("put sends it", "sync", File, Url);
        yield return Refusal("copy sends it", "sync", File, Folder.Path);
        yield return Refusal("is a URL", "put", Url, Url);
        yield return Refusal("goes alone", "put", "-", File, "ftp://h.invalid/d/");
        yield return Refusal("must not end in /", "put", "-", "ftp://h.invalid/d/");
        yield return Refusal("newer", "put", "-", Url, "--overwrite", "newer");
        yield return Refusal("ends in /", "put", File, File, Url);
        yield return Refusal("get wants", "get", Url);
        yield return Refusal("is a URL", "get", Url, Url);
        yield return Refusal("folder", "get", Url, Url, "nowhere");
        yield return Refusal("folder", "get", "ftp://h.invalid/*.txt", "nowhere");
        yield return Refusal("single files", "get", "ftp://h.invalid/d/", "-");
        yield return Refusal("single files", "get", "ftp://h.invalid/*", "-");
        yield return Refusal("--json and -", "get", Url, "-", "--json");
        yield return Refusal("about files", "get", Url, "-", "--overwrite", "skip");
        yield return Refusal("about files", "get", Url, "-", "--fsync");
        yield return Refusal("file: URLs", "ls", "file:///tmp");
        yield return Refusal("file: URLs", "put", File, "file:///tmp/x");
        yield return Refusal("One URL", "tree", Url, Url);
        yield return Refusal("missing", "stat");
        yield return Refusal("names a folder", "cat", "ftp://h.invalid/d/");
        yield return Refusal("standard input or output", "cat", "-");
        yield return Refusal("no arguments", "demo", "x");

        yield return Refusal("sync wants", "sync", Url);
        yield return Refusal("sync has no standard input", "sync", "-", Url);
        yield return Refusal("no option '--overwrite'", "sync", Folder.Path, Url, "--overwrite", "skip");
        yield return Refusal("no option '--delete'", "put", File, Url, "--delete");
        yield return Refusal("--segments is for servers", "copy", File, Folder.Path, "--segments", "1");
        yield return Refusal("--segments is for servers", "sync", Folder.Path, Folder.Path, "--segments", "4");
        yield return Refusal("--resume needs a folder", "sync", Folder.Path, Folder.Path, "--resume");
        yield return Refusal("--compare wants", "sync", Folder.Path, Url, "--compare", "maybe");
        yield return Refusal("says nothing without --delete", "sync", Folder.Path, Url, "--delete-for-empty-source");
        yield return Refusal("--user would go to two servers", "sync", Url, "ftp://other.invalid/y", "--user", "me");
        yield return Refusal("--timeout is for servers", "sync", Folder.Path, Folder.Path, "--timeout", "5");
        foreach (var size in (string[])["", "K", "1X", "-1", "1KK", "1BK", "9999999P"])
            yield return Refusal("--min-size", "put", Folder.Path, Url, "--min-size", size);
        foreach (var age in (string[])["", "7", "d", "-3d", "soon", "2026-13-01"])
            yield return Refusal("--newer-than wants", "put", Folder.Path, Url, "--newer-than", age);
        yield return Refusal("--exclude wants", "put", Folder.Path, Url, "--exclude", "");

        yield return Refusal("--overwrite wants", "put", File, Url, "--overwrite", "maybe");
        yield return Refusal("--temp-dir and --publish direct contradict", "put", File, Url, "--temp-dir", "t", "--publish", "direct");
        yield return Refusal("--temp-dir wants", "put", File, Url, "--temp-dir", " ");
        yield return Refusal("about files", "get", Url, "-", "--temp-dir", "t");
        yield return Refusal("--batch on and --temp-dir contradict", "put", "--batch", "on", "--temp-dir", "t", Folder.Path,
            "sftp://host.invalid/");
        yield return Refusal("--publish wants", "put", File, Url, "--publish", "maybe");
        yield return Refusal("--verify wants", "put", File, Url, "--verify", "maybe");
        yield return Refusal("--sessions wants", "put", File, Url, "--sessions", "0");
        yield return Refusal("--sessions wants", "put", File, Url, "--sessions", "many");
        yield return Refusal("--grace wants", "put", File, Url, "--grace", "-1");
        yield return Refusal("--timeout wants", "put", File, Url, "--timeout", "0");
        yield return Refusal("--timeout wants", "put", File, Url, "--timeout", "-1");
        yield return Refusal("--timeout wants", "put", File, Url, "--timeout", "1e99");
        yield return Refusal("--max-listing wants", "ls", Url, "--max-listing", "1K");
        yield return Refusal("--login-timeout wants", "put", File, Url, "--login-timeout", "0");
        yield return Refusal("--login-timeout is for servers", "sync", Folder.Path, Folder.Path, "--login-timeout", "5");
        yield return Refusal("--proxy wants", "put", File, Url, "--proxy", "ftp://h:1");
        yield return Refusal("a colon in its user name", "ls", Url, "--proxy", "http://a%3Ab:pw@h.invalid:1");
        yield return Refusal("a control character", "ls", Url, "--proxy", "http://a:hun%09ter2@h.invalid:1");
        yield return Refusal("255 bytes", "ls", Url, "--proxy", $"socks5://a:{new string('x', 256)}@h.invalid:1");
        yield return Refusal("255 bytes", "ls", "sftp://me@h.invalid/", "--proxy", "socks5://:pw@h.invalid:1");
        yield return Refusal("no encoding", "put", File, Url, "--encoding", "klingon");
        yield return Refusal("ASCII", "put", File, Url, "--encoding", "utf-16");
        yield return Refusal("ASCII", "put", File, Url, "--encoding", "ibm037");
        yield return Refusal("--tls wants", "put", File, Url, "--tls", "maybe");
        yield return Refusal("--pin wants", "put", File, Tls, "--pin", "SHA256:abc");
        yield return Refusal("--pin wants", "put", File, Tls, "--pin", "MD5:abc");

        yield return Refusal("contradict", "put", File, Url, "--quiet", "-v");
        yield return Refusal("contradicts ftps:", "put", File, "ftps://h.invalid/x", "--tls", "explicit");
        yield return Refusal("contradicts ftps:", "put", File, "ftps://h.invalid/x", "--tls", "off");
        yield return Refusal("contradicts ftpes:", "put", File, Tls, "--tls", "implicit");
        yield return Refusal("contradicts ftpes:", "put", File, Tls, "--tls", "off");
        yield return Refusal("contradict", "put", File, Tls, "--insecure", "--pin", Pin);
        yield return Refusal("about certificates", "put", File, Url, "--insecure");
        yield return Refusal("about certificates", "put", File, Url, "--pin", Pin);
        yield return Refusal("contradict", "put", File, Url, "--active", "--proxy", "socks5://h.invalid");
        yield return Refusal("contradict", "ls", "-l", "--json", Url);
        yield return Refusal("contradicts the password in the URL", "ls", "ftp://me:s3cr3t@h.invalid/", "--password-env", "MINE");

        const string Ssh = "sftp://h.invalid/x";
        yield return Refusal("-R lists a folder", "ls", "-R", "ftp://h.invalid/*.txt");
        yield return Refusal("--tls is for FTP", "ls", Ssh, "--tls", "explicit");
        yield return Refusal("--active is for FTP", "ls", Ssh, "--active");
        yield return Refusal("--no-epsv is for FTP", "ls", Ssh, "--no-epsv");
        yield return Refusal("--trust-data-end is for FTP", "ls", Ssh, "--trust-data-end");
        yield return Refusal("--account-file is for FTP", "ls", Ssh, "--account-file", File);
        yield return Refusal("--no-mlsd is for FTP", "ls", Ssh, "--no-mlsd");
        yield return Refusal("about certificates", "ls", Ssh, "--insecure");
        foreach (var option in (string[])["--ca-file", "--cert", "--cert-key"])
        {
            yield return Refusal($"{option} is about certificates", "ls", Ssh, option, File);
            if (option != "--cert-key") yield return Refusal($"{option} is about certificates", "ls", Url, option, File);
        }
        yield return Refusal("says nothing without --cert", "ls", Tls, "--cert-key", File);
        yield return Refusal("--ca-file contradicts --insecure", "ls", Tls, "--ca-file", File, "--insecure");
        yield return Refusal("--ca-file contradicts --pin", "ls", Tls, "--ca-file", File, "--pin", Pin);
        yield return Refusal("holds no certificate", "ls", Tls, "--ca-file", File);
        yield return Refusal("cannot be read", "ls", Tls, "--cert", Folder["nowhere"]);
        yield return Refusal("without .pub", "ls", Ssh, "--identity", PublicKey);
        yield return Refusal("contradict", "ls", Ssh, "--pin", Pin, "--accept-new-host-key");
        yield return Refusal("there are aes128-gcm@openssh.com, ", "ls", Ssh, "--ciphers", "aes256-ctr,3des-cbc");
        yield return Refusal("--ciphers is empty", "ls", Ssh, "--ciphers", ",");
        yield return Refusal("there is no file", "ls", Ssh, "--known-hosts", Folder["nowhere"]);
        yield return Refusal("no private key", "ls", Ssh, "--identity", Folder["nowhere"]);
        yield return Refusal("--identity is for sftp: only", "ls", Url, "--identity", File);
        yield return Refusal("--from-identity is for sftp: only", "copy", Url, Ssh, "--from-identity", File);
        yield return Refusal("--known-hosts is for sftp: only", "ls", Url, "--known-hosts", File);
        yield return Refusal("--accept-new-host-key is for sftp: only", "copy", File, Url, "--accept-new-host-key");
        yield return Refusal("--ciphers is for sftp: only", "copy", Url, Url, "--ciphers", "aes256-ctr");
        yield return Refusal("--identity would go to two servers", "copy", Ssh, Url, "--identity", File);
        yield return Refusal("--known-hosts is for servers", "copy", File, Folder.Path, "--known-hosts", File);

        const string Other = "ftp://other.invalid/y";
        yield return Refusal("--user would go to two servers", "copy", Url, Other, "--user", "me");
        yield return Refusal("--password-file would go to two servers", "copy", Url, Other, "--password-file", File);
        yield return Refusal("--password-env would go to two servers", "copy", Url, Other, "--password-env", "MINE");
        yield return Refusal("--pin would go to two servers", "copy", Tls, Tls, "--pin", Pin);
        yield return Refusal("--insecure would go to two servers", "copy", Tls, Tls, "--insecure");
        yield return Refusal("the target is local", "copy", Url, Folder.Path, "--to-user", "me");
        yield return Refusal("the source is local", "copy", File, Url, "--from-user", "me");
        yield return Refusal("contradict", "copy", File, Url, "--to-user", "me", "--user", "me");
        yield return Refusal("both sides are local", "copy", File, Folder.Path, "--user", "me");
        yield return Refusal("more than one server", "get", Url, Other, Folder.Path, "--user", "me");
        yield return Refusal("--active is for servers", "copy", File, Folder.Path, "--active");
        yield return Refusal("copy wants", "copy", Url);
        yield return Refusal("--map-names wants", "put", File, Url, "--map-names", "yes");
        yield return Refusal("--links wants", "put", File, Url, "--links", "yes");

        const string Receiver = "transfer://h.invalid:1";
        yield return Refusal("send wants a folder", "send", Folder.Path);
        yield return Refusal("needs your key", "send", Folder.Path, Url, "--to", "ann");
        yield return Refusal("needs recipients", "send", Folder.Path, Url, "--key-file", Key);
        yield return Refusal("recipients have none", "send", Folder.Path, Url, "--to", "ann=p256:x", "--key-file", Key);
        yield return Refusal("each once", "send", Folder.Path, Url, "--to", "ann", "--to", "ann", "--key-file", Key);
        yield return Refusal("--deadline wants", "send", Folder.Path, Url, "--to", "ann", "--key-file", Key, "--deadline", "soon");
        yield return Refusal("is for spools", "send", Folder.Path, Receiver, "--to", "ann", "--key-file", Key);
        yield return Refusal("is for receivers", "send", Folder.Path, Url, "--to", "ann", "--key-file", Key, "--token-file", File);
        yield return Refusal("is for servers", "send", Folder.Path, Folder["spool"], "--to", "ann", "--key-file", Key, "--user",
            "me");
        yield return Refusal("is for servers, and a receiver", "send", Folder.Path, Receiver, "--user", "me");
        yield return Refusal("no key file", "send", Folder.Path, Url, "--to", "ann", "--key-file", File + ".none");
        yield return Refusal("wants the URL of a spool", "fetch", Url);
        yield return Refusal("needs your name", "fetch", Url, Folder.Path, "--key-file", Key);
        yield return Refusal("--as wants", "fetch", Url, Folder.Path, "--as", " ", "--key-file", Key);
        yield return Refusal("needs your key", "fetch", Url, Folder.Path, "--as", "ann");
        yield return Refusal("senders have none", "fetch", Url, Folder.Path, "--as", "ann", "--key-file", Key, "--from", "p256:BAAA");
        yield return Refusal("one file", "key");
        yield return Refusal("left as it is", "key", "--shared", Key);
        yield return Refusal("left as it is", "key", "--passphrase", Key);
        yield return Refusal("can't be encrypted", "key", "--shared", "--passphrase", Folder["new.key"]);
        yield return Refusal("is not encrypted", "key", Key, "--passphrase-file", File);
        yield return Refusal("no terminal", "key", "--passphrase", Folder["new.key"]);
        yield return Refusal("no option '--passphrase'", "get", "--passphrase", Url, Folder.Path);
        yield return Refusal("needs recipients", "send", Folder.Path, Url, "--passphrase");
        yield return Refusal("recipients have none", "send", Folder.Path, Url, "--to", "ann=p256:x", "--passphrase-file", File);
        yield return Refusal("no terminal", "send", Folder.Path, Url, "--to", "ann", "--passphrase");
        yield return Refusal("contradicts --key-file", "send", Folder.Path, Url, "--to", "ann", "--passphrase", "--key-file", Key);
        yield return Refusal("is not encrypted", "send", Folder.Path, Url, "--to", "ann", "--key-file", Key, "--passphrase-file", File);
        yield return Refusal("cannot be read", "fetch", Url, Folder.Path, "--as", "ann", "--passphrase-file", File + ".none");
        yield return Refusal("is empty", "fetch", Url, Folder.Path, "--as", "ann", "--passphrase-file", Folder.Add("empty.txt", "\nx"));
        yield return Refusal("senders have none", "fetch", Url, Folder.Path, "--as", "ann", "--passphrase-file", File, "--from",
            "p256:BAAA");
        yield return Refusal("send wants a folder", "send", Folder.Path, Folder.Path, Receiver);
        yield return Refusal("sends folders", "send", File, Receiver);
        yield return Refusal("is a URL", "send", Url, Receiver);
        yield return Refusal("address of a receiver", "send", Folder.Path, Url);
        yield return Refusal("token is missing", "send", Folder.Path, Receiver);
        yield return Refusal("This is no token", "send", Folder.Path, Receiver + "#s3cr3t");
        yield return Refusal("there is no file", "send", Folder.Path, Receiver, "--token-file", "nowhere");
        yield return Refusal("contradicts the token", "send", Folder.Path, Receiver + "#s3cr3t", "--token-file", File);
        foreach (var size in (string[])["63K", "65M", "much"])
            yield return Refusal("--archive-size wants", "send", Folder.Path, Receiver + "#s3cr3t", "--archive-size", size);
        yield return Refusal("--archive-size wants 64K", "send", Folder.Path, Folder["spool"], "--to", "ann", "--key-file", Key,
            "--archive-size", "1");
        yield return Refusal("64 connections", "send", Folder.Path, Receiver + "#s3cr3t", "--sessions", "65");
        yield return Refusal("no option '--overwrite'", "send", Folder.Path, Receiver, "--overwrite", "skip");
        yield return Refusal("receive wants one folder", "receive");
        yield return Refusal("wants a folder", "receive", File);
        yield return Refusal("is a URL", "receive", Url);
        yield return Refusal("set XDG_STATE_HOME", "receive", Folder.Path, "--keep");
        foreach (var listen in (string[])["", "80", "h.invalid:80", "192.0.2.1", "::1", ":x", ":70000"])
            yield return Refusal("--listen wants", "receive", Folder.Path, "--listen", listen);
        yield return Refusal("--host wants", "receive", Folder.Path, "--host", "h:1");
        yield return Refusal("--durability wants", "receive", Folder.Path, "--durability", "always");
        yield return Refusal("put has no option '-p...'", "put", "-ps3cr3t", File, Url);
        yield return Refusal("--tls-min wants 1.2 or 1.3", "ls", "--tls-min", "1.1", Url);
        yield return Refusal("--tls-max wants 1.2 or 1.3", "ls", "--tls-max", "1.1", Url);
        yield return Refusal("--tls-min 1.3 and --tls-max 1.2 contradict", "ls", "--tls-min", "1.3", "--tls-max", "1.2", Url);
        yield return Refusal("--tls-max is about TLS", "ls", "--tls-max", "1.2", Url);
        yield return Refusal("--clear-data is about TLS", "ls", "--clear-data", Url);
        yield return Refusal("--clear-data is for FTP", "ls", "--clear-data", "sftp://h.invalid/");
        yield return Refusal("--plain is for servers", "send", Folder.Path, "transfer://h.invalid:1", "--plain");
        yield return Refusal("sha256//", "ls", "--pin", "s3cr3t", Url);
        yield return Refusal("send has no option '--durability'", "send", Folder.Path, "transfer://h.invalid:1", "--durability", "none");
        yield return Refusal("contradict", "receive", Folder.Path, "--stdio", "--json");
        yield return Refusal("contradict", "receive", Folder.Path, "--stdio", "--listen", ":1");

        foreach (var value in (string[])["", "no", "off", "2"])
        {
            yield return Refusal("--remove-source is a switch", "put", $"--remove-source={value}", File, Url);
            yield return Refusal("--delete is a switch", "sync", $"--delete={value}", Folder.Path, Url);
            yield return Refusal("-r is a switch", "rm", $"-r:{value}", Url);
        }

        yield return Refusal("-n true may be a value or a path", "put", "-n", "true", Url);
        yield return Refusal("--remove-source False may be a value", "put", "--remove-source", "False", File, Url);
        yield return Refusal("--json=true, --json=false. There is --json=items, too", "put", "--json=item", File, Url);
        foreach (var option in (string[])["--backup-dir", "--move-source-to"])
        {
            foreach (var same in (string[])[".", "./", "././"])
                yield return Refusal($"{option} wants another folder", "put", File, Url, option, same);
            yield return Refusal($"{option} wants a folder without CR", "put", File, Url, option, "old\n");
        }

        yield return Refusal("--temp-dir wants a folder without CR", "put", File, Url, "--temp-dir", "new\n");
        yield return Refusal("mv wants", "mv", Url);
        yield return Refusal("one server", "mv", Url, Other);
        yield return Refusal("one server", "mv", Url, "ftp://h.invalid:2121/y");
        yield return Refusal("different users", "mv", "ftp://me@h.invalid/x", "ftp://you@h.invalid/y");
        yield return Refusal("only --overwrite", "mv", Url, "y", "--overwrite", "newer");
        yield return Refusal("the root", "mv", "ftp://h.invalid/", "y");
        yield return Refusal("CR, LF or NUL", "mv", Url, "a\r\nDELE b");
        yield return Refusal("does not delete", "rm", "-r", "ftp://h.invalid/");
        yield return Refusal("does not delete", "rm", "-r", "ftp://h.invalid/~/");
        yield return Refusal("does not delete", "rm", "-r", "ftp://h.invalid/a/..");
        yield return Refusal("does not delete", "rm", "-r", "ftp://h.invalid/a/%2E/");
        yield return Refusal("holds a LF", "rm", "ftp://h.invalid/a%0Ab");
    }

    [TestCaseSource(nameof(Refusals))]
    public async Task A_call_that_cannot_be_meant_is_refused(string why, string[] args)
    {
        var result = await new CliHarness { Environment = { ["MINE"] = "s3cr3t" } }.RunAsync(args);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage), result.ToString());
        Assert.That(result.Error, Does.StartWith("transfer: ").And.Contain(why));
        Assert.That(result.Output, Is.Empty);
    }

    [TestCase("ftp://me:s3cr3t@h.invalid/")]
    [TestCase("putt", "ftp://me:s3cr3t@h.invalid/")]
    [TestCase("tree", "ftp://me:s3cr3t@h.invalid/a", "ftp://me:s3cr3t@h.invalid/b")]
    [TestCase("run", "-", "--server", "ftp://me:s3cr3t@h.invalid/*")]
    [TestCase("run", "ftp://me:s3cr3t@h.invalid/x")]
    [TestCase("put", "ftp://me:s3cr3t@h.invalid/a", "ftp://me:s3cr3t@h.invalid/b")]
    [TestCase("get", "ftp://me:s3cr3t@h.invalid/a", "ftp://me:s3cr3t@h.invalid/b")]
    [TestCase("ls", "ftp://me:s3cr3t@h.invalid:0/")]
    [TestCase("ls", "me:s3cr3t@h.invalid")]
    [TestCase("copy", "ftp:/me:s3cr3t@h.invalid/x", "d/")]
    [TestCase("copy", "me:s3cr3t@h.invalid/x", "d/")]
    [TestCase("put", "me:s3cr3t@h.invalid/x", "ftp://h.invalid/")]
    [TestCase("ls", "--password:s3cr3t", "ftp://h.invalid/")]
    [TestCase("ls", "--password=s3cr3t", "ftp://h.invalid/")]
    [TestCase("ls", "--nonsense=ftp://me:s3cr3t@h.invalid/")]
    [TestCase("ls", "--proxy", "ftp://me:s3cr3t@h.invalid/", "ftp://h.invalid")]
    [TestCase("ls", "--proxy", "http://a%3Ab:s3cr3t@h.invalid:1", "ftp://h.invalid")]
    [TestCase("ls", "--proxy", "http://a:s3cr3t%09@h.invalid:1", "ftp://h.invalid")]
    [TestCase("demo", "ftp://me:s3cr3t@h.invalid/")]
    [TestCase("send", "nowhere", "transfer://h.invalid:1#s3cr3t")]
    [TestCase("send", "transfer://h.invalid:1#s3cr3t", "nowhere")]
    [TestCase("receive", "transfer://h.invalid:1#s3cr3t")]
    public async Task A_refusal_never_shows_a_password(params string[] args)
    {
        var result = await new CliHarness().RunAsync(args);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage), result.ToString());
        Assert.That(result.Error + result.Output, Does.Not.Contain("s3cr3t"));
    }

    [TestCase("cat me:s3cr3t@h.invalid/b.txt")]
    [TestCase("cat ftp:/me:s3cr3t@h.invalid/b.txt")]
    public async Task A_line_of_a_script_that_is_refused_never_shows_a_password(string line)
    {
        using var folder = new TempFolder();
        var result = await new CliHarness().RunAsync("run", folder.Add("script", line), "--log", folder["log"]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage), result.ToString());
        Assert.That(result.Error + result.Output + System.IO.File.ReadAllText(folder["log"]),
            Does.Contain("--server").And.Not.Contain("s3cr3t"));
    }

    [Test]
    public async Task The_table_of_options_shows_the_name_of_a_variable_only_where_there_is_one()
    {
        var harness = new CliHarness { Environment = { ["MINE"] = "x" } };
        Assert.That((await harness.RunAsync("ls", "ftp://me@h.invalid/", "--password-env", "MINE", "--show-options")).Output,
            Does.Contain(" MINE "));
        var result = await harness.RunAsync("ls", "ftp://me@h.invalid/", "--password-env", "s3cr3t", "--show-options");
        Assert.That((result.Code, result.Output), Is.EqualTo((0, result.Output)), result.ToString());
        Assert.That(result.Output, Does.Contain("(hidden)").And.Not.Contain("s3cr3t"));
    }

    [TestCaseSource(nameof(VerbNames))]
    public async Task Every_verb_explains_itself(string verb)
    {
        var result = await new CliHarness().RunAsync(verb, "--help");
        Assert.That((result.Code, result.Error), Is.EqualTo((0, "")));
        Assert.That(result.Output, Does.Contain($"Usage: transfer {verb}"));
        Assert.That(result.Output.Split('\n'), Has.All.Length.LessThanOrEqualTo(120));
    }

    [TestCase("put", "leave them out (default)")]
    [TestCase("send", "make them at the receiver too (default)", "files that were confirmed", "64 at most")]
    [TestCase("receive", "Tell no sender", "that a sender may say nothing", "is not sealed")]
    [TestCase("fetch", "8 archives")]
    public async Task What_an_option_is_to_a_verb_is_what_its_help_says(string verb, params string[] said)
    {
        var help = string.Join(' ',
            (await new CliHarness().RunAsync(verb, "--help")).Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        foreach (var words in said) Assert.That(help, Does.Contain(words));
    }

    [Test]
    public async Task The_help_lists_the_verbs_the_order_of_passwords_and_the_exit_codes()
    {
        var result = await new CliHarness().RunAsync("--help");
        Assert.That(result.Code, Is.Zero);
        Assert.That(result.Output,
            Does.Contain("transfer put").And.Contain("transfer demo").And.Contain("TRANSFER_PASSWORD").And.Contain("130 interrupted"));
        Assert.That(result.Output, Does.Not.Contain("--resume").And.Contain("transfer receive"));
    }

    [TestCaseSource(nameof(VerbNames))]
    public async Task Every_verb_has_an_example_and_help_is_a_verb_too(string verb)
    {
        var help = await new CliHarness().RunAsync("help", verb);
        Assert.That((help.Code, help.Output), Is.EqualTo((0, (await new CliHarness().RunAsync(verb, "--help")).Output)));
        Assert.That(help.Output, Does.Contain("\nExamples:\n"));
    }

    [Test]
    public async Task V_is_the_version_and_help_alone_lists_the_verbs()
    {
        Assert.That((await new CliHarness().RunAsync("-V")).Output, Does.StartWith("transfer "));
        Assert.That((await new CliHarness().RunAsync("help")).Output, Is.EqualTo((await new CliHarness().RunAsync("--help")).Output));
    }

    [Test]
    public async Task It_says_its_version() =>
        Assert.That((await new CliHarness().RunAsync("--version")).Output, Does.Match(@"^transfer \d+\.\d+\.\d+"));

    private static TestCaseData Refusal(string why, params string[] args) =>
        new TestCaseData(why, args).SetArgDisplayNames(
            string.Join(' ', args.Select(a => a.Replace(Folder.Path, "TMP", StringComparison.Ordinal)).DefaultIfEmpty("(nothing)")));
}
