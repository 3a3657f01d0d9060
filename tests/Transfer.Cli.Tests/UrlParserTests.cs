using Transfer.Cli.Urls;

namespace Transfer.Cli.Tests;

public sealed class UrlParserTests
{
    [TestCase("ftp://h", "ftp", null, null, "h", null, "/")]
    [TestCase("ftp://h/", "ftp", null, null, "h", null, "/")]
    [TestCase("FTP://H.Example/Dir/File", "ftp", null, null, "h.example", null, "/Dir/File")]
    [TestCase("ftpes://me@h/a", "ftpes", "me", null, "h", null, "/a")]
    [TestCase("ftps://me:pw@h:2990/a", "ftps", "me", "pw", "h", 2990, "/a")]
    [TestCase("ftp://me:@h/a", "ftp", "me", "", "h", null, "/a")]
    [TestCase("ftp://me@corp.example:pw@h/a", "ftp", "me@corp.example", "pw", "h", null, "/a")]
    [TestCase("ftp://me%40corp%3Ax:p%40w%3A%2F@h/a", "ftp", "me@corp:x", "p@w:/", "h", null, "/a")]
    [TestCase("ftp://me:p:w@h/a", "ftp", "me", "p:w", "h", null, "/a")]
    [TestCase("ftp://me:p#w?@h/a", "ftp", "me", "p#w?", "h", null, "/a")]
    [TestCase("ftp://@h/a", "ftp", null, null, "h", null, "/a")]
    [TestCase("ftp://h:/a", "ftp", null, null, "h", null, "/a")]
    [TestCase("ftp://h:65535/a", "ftp", null, null, "h", 65535, "/a")]
    [TestCase("ftp://[::1]/a", "ftp", null, null, "::1", null, "/a")]
    [TestCase("ftp://me@[2001:DB8:0::7]:2121/a", "ftp", "me", null, "2001:db8::7", 2121, "/a")]
    [TestCase("ftp://[fe80::1%25eth0]/a", "ftp", null, null, "fe80::1%eth0", null, "/a")]
    [TestCase("ftp://[fe80::1%eth0]/a", "ftp", null, null, "fe80::1%eth0", null, "/a")]
    [TestCase("ftp://127.0.0.1/a", "ftp", null, null, "127.0.0.1", null, "/a")]
    [TestCase("ftp://bücher.example/a", "ftp", null, null, "xn--bcher-kva.example", null, "/a")]
    [TestCase("ftp://b%C3%BCcher.example/a", "ftp", null, null, "xn--bcher-kva.example", null, "/a")]
    [TestCase("ftp://my_host.example./a", "ftp", null, null, "my_host.example.", null, "/a")]
    [TestCase("ftp://h/a#b?c;type=a", "ftp", null, null, "h", null, "/a#b?c;type=a")]
    [TestCase("ftp://h/a/../b/./c//d", "ftp", null, null, "h", null, "/a/../b/./c//d")]
    [TestCase("ftp://h/a%20b%25%23%2520", "ftp", null, null, "h", null, "/a b%#%20")]
    [TestCase("ftp://h/%C3%A4ä", "ftp", null, null, "h", null, "/ää")]
    [TestCase("ftp://h/a+b", "ftp", null, null, "h", null, "/a+b")]
    [TestCase("ftp://h/~/x", "ftp", null, null, "h", null, "/~/x")]
    [TestCase("ftp://h/a@b:c", "ftp", null, null, "h", null, "/a@b:c")]
    [TestCase("file:///tmp/a%20b", "file", null, null, "", null, "/tmp/a b")]
    [TestCase("file://localhost/tmp/a", "file", null, null, "", null, "/tmp/a")]
    [TestCase("file:/tmp/a", "file", null, null, "", null, "/tmp/a")]
    public void A_url_is_taken_apart(string text, string scheme, string? user, string? password, string host, int? port, string path)
    {
        var url = UrlParser.Parse(text);
        Assert.That((url.Scheme, url.User, url.Password, url.Host, url.Port, url.Path),
            Is.EqualTo((scheme, user, password, host, port, path)));
    }

    [TestCase("ftp://")]
    [TestCase("ftp:///a")]
    [TestCase("ftp://me:pw@/a")]
    [TestCase("ftp://:pw@h/a")]
    [TestCase("ftp://h:0/a")]
    [TestCase("ftp://h:65536/a")]
    [TestCase("ftp://h:21x/a")]
    [TestCase("ftp://h:-1/a")]
    [TestCase("ftp://h:99999999999999999999/a")]
    [TestCase("ftp://h:２１/a")]
    [TestCase("ftp://me:p/w@h/a")]
    [TestCase("ftp://[::1/a")]
    [TestCase("ftp://[::1]x/a")]
    [TestCase("ftp://[127.0.0.1]/a")]
    [TestCase("ftp://[::1%]/a")]
    [TestCase("ftp://[::1%25a;b]/a")]
    [TestCase("ftp://[]/a")]
    [TestCase("ftp://a b/a")]
    [TestCase("ftp://a\tb/a")]
    [TestCase("ftp://a?b/a")]
    [TestCase("ftp://a#b/a")]
    [TestCase("ftp://a%2Fb/a")]
    [TestCase("ftp://a%00b/a")]
    [TestCase("ftp://.a/a")]
    [TestCase("ftp://a..b/a")]
    [TestCase("ftp://h/a%0Ab")]
    [TestCase("ftp://h/a%0d%0aDELE%20b")]
    [TestCase("ftp://h/a\nb")]
    [TestCase("ftp://h/a\rb")]
    [TestCase("ftp://h/a%00")]
    [TestCase("ftp://me%0D%0A@h/a")]
    [TestCase("ftp://me:p%0Aw@h/a")]
    [TestCase("ftp://me:p%00w@h/a")]
    [TestCase("ftp://h/100%")]
    [TestCase("ftp://h/%2")]
    [TestCase("ftp://h/%zz")]
    [TestCase("ftp://m%ffe:pw@h/a")]
    [TestCase("ftp://me:p%ff@h/a")]
    [TestCase("http://h/a")]
    [TestCase("file://server/share")]
    [TestCase("file://")]
    [TestCase("just/a/path")]
    public void What_cannot_be_used_is_refused(string text) =>
        Assert.That(() => UrlParser.Parse(text), Throws.TypeOf<UsageException>());

    [TestCase("ftp://me:s3cr3t@h/%zz")]
    [TestCase("ftp://me:s3cr3t%@h/")]
    [TestCase("ftp://me:s3cr3t/x@h/a")]
    [TestCase("ftp://me:s3cr3t@h:x/")]
    [TestCase("ftp://me:s3cr3t@a b/")]
    [TestCase("ftp://me:s3cr3t%0a@h/")]
    [TestCase("scp://me:s3cr3t@h/")]
    [TestCase("gopher://me:s3cr3t@h/")]
    [TestCase("file://me:s3cr3t@h/")]
    [TestCase("me:s3cr3t@h/")]
    public void A_refusal_never_repeats_the_password(string text) =>
        Assert.That(() => UrlParser.Parse(text), Throws.TypeOf<UsageException>().With.Message.Not.Contains("s3cr3t"));

    [Test]
    public void Bytes_that_are_no_utf8_survive_in_a_path()
    {
        var path = UrlParser.Parse("ftp://h/%E4%FF.txt").Path;
        Assert.That(NameEncoding.LosslessUtf8.GetBytes(path),
            Is.EqualTo(new byte[] { (byte)'/', 0xE4, 0xFF, (byte)'.', (byte)'t', (byte)'x', (byte)'t' }));
    }

    [TestCase("ftp://me:s3cr3t@h:2121/a%20b", "ftp://me@h:2121/a%20b")]
    [TestCase("ftp://me%40x:s3cr3t@h/a", "ftp://me%40x@h/a")]
    [TestCase("ftp://[::1]:21/", "ftp://[::1]:21/")]
    [TestCase("ftp://h", "ftp://h/")]
    public void It_prints_itself_without_the_password(string text, string shown)
    {
        var url = UrlParser.Parse(text);
        Assert.That((url.Redacted, url.ToString()), Is.EqualTo((shown, shown)));
    }

    [TestCase("ftp://me:pw@h/a", false, "ftp://h:21/")]
    [TestCase("ftp://h/a", true, "ftp://h:990/")]
    [TestCase("ftpes://h/a", false, "ftpes://h:21/")]
    [TestCase("ftps://h/a", true, "ftps://h:990/")]
    [TestCase("ftps://h:2990/a#b", true, "ftps://h:2990/")]
    [TestCase("ftp://[::1]:2121/a", false, "ftp://[::1]:2121/")]
    public void The_endpoint_is_scheme_host_and_port_only(string text, bool implicitTls, string endpoint) =>
        Assert.That(UrlParser.Parse(text).Endpoint(implicitTls), Is.EqualTo(new Uri(endpoint)));

    [Test]
    public void The_zone_of_an_address_reaches_the_endpoint() =>
        Assert.That(UrlParser.Parse("ftp://[fe80::1%25lo]:2121/").Endpoint(false).DnsSafeHost, Is.EqualTo("fe80::1%lo"));

    [TestCase("ftp://h/a", true)]
    [TestCase("x-y.z+1://h", true)]
    [TestCase("FILE:/a", true)]
    [TestCase("c://dir/file", false)]
    [TestCase("C:\\dir", false)]
    [TestCase("a:b", false)]
    [TestCase("-", false)]
    [TestCase("", false)]
    [TestCase("dir/ftp://h", false)]
    [TestCase("1ftp://h", false)]
    [TestCase("://h", false)]
    public void A_url_is_told_from_a_path(string text, bool isUrl) => Assert.That(Scheme.IsUrl(text), Is.EqualTo(isUrl));

    [TestCase("ftp://h/dir/", true)]
    [TestCase("ftp://h", true)]
    [TestCase("ftp://h/~", true)]
    [TestCase("ftp://h/dir", false)]
    [TestCase("ftp://h/dir%2F", true)]
    public void A_trailing_slash_names_a_folder(string text, bool directory) =>
        Assert.That(UrlParser.Parse(text).NamesDirectory, Is.EqualTo(directory));

    [TestCase("ftp://me:s3cr3t@h/a", "ftp://me@h/a")]
    [TestCase("ftp://me:s3cr3t@h/%zz", "ftp://...")]
    [TestCase("http://me:s3cr3t@h/", "http://...")]
    [TestCase("me:s3cr3t@h/x", "...@h/x")]
    [TestCase("plain.txt", "plain.txt")]
    [TestCase("me@h", "me@h")]
    public void Any_argument_can_be_shown(string text, string shown) => Assert.That(UrlRedaction.Redact(text), Is.EqualTo(shown));

    [TestCase("http://proxy.example:3128", ProxyKind.HttpConnect, "proxy.example", 3128, null, null)]
    [TestCase("HTTP://u:p%40@proxy.example:3128/", ProxyKind.HttpConnect, "proxy.example", 3128, "u", "p@")]
    [TestCase("socks5://[::1]", ProxyKind.Socks5, "::1", 1080, null, null)]
    [TestCase("socks5h://u@h:9050", ProxyKind.Socks5, "h", 9050, "u", "")]
    public void A_proxy_url_is_taken_apart(string text, ProxyKind kind, string host, int port, string? user, string? password)
    {
        var proxy = ProxyUrl.Parse(text);
        Assert.That(
            (proxy.Kind, proxy.Host, proxy.Port, proxy.Credential?.UserName, proxy.Credential?.Password),
            Is.EqualTo((kind, host, port, user, password)));
    }

    [TestCase("proxy.example:3128")]
    [TestCase("http://proxy.example")]
    [TestCase("https://u:s3cr3t@proxy.example:443")]
    [TestCase("http://u:s3cr3t@:3128")]
    [TestCase("http://u:s3cr3t%0d@h:3128")]
    [TestCase("http://h:3128/path")]
    public void A_proxy_that_cannot_be_used_is_refused(string text) =>
        Assert.That(() => ProxyUrl.Parse(text), Throws.TypeOf<UsageException>().With.Message.Not.Contains("s3cr3t"));
}
