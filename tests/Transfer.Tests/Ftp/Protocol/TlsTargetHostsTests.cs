using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

internal sealed class TlsTargetHostsTests
{
    [Test]
    public void Every_open_connection_has_the_name_in_a_casing_of_its_own()
    {
        var hosts = new TlsTargetHosts();
        var names = Enumerable.Range(0, 100).Select(_ => hosts.Rent("ftp.example.org")).ToList();
        Assert.That(names.Select(n => n.Name).Distinct(StringComparer.Ordinal).Count(), Is.EqualTo(100));
        Assert.That(names.Select(n => n.Name), Is.All.EqualTo("ftp.example.org").IgnoreCase);
        Assert.That(names.Select(n => n.IsExclusive), Is.All.True);
        Assert.That(names.Select(n => n.Name), Does.Not.Contain("ftp.example.org"), "the plain name is everybody's");
    }

    [Test]
    public void However_the_host_was_written_the_casings_are_shared()
    {
        var hosts = new TlsTargetHosts();
        var names = new[] { "A.b", "a.B", "a.b.", "A.B" }.Select(hosts.Rent).Select(n => n.Name).ToList();
        Assert.That(names, Is.EquivalentTo(new[] { "A.b", "a.B", "A.B", "a.b" }));
    }

    [Test]
    public void When_casings_run_out_there_is_no_reuse_until_one_is_given_back()
    {
        var hosts = new TlsTargetHosts();
        var names = Enumerable.Range(0, 4).Select(_ => hosts.Rent("a.b")).ToList();
        Assert.That(hosts.Rent("a.b").IsExclusive, Is.False);
        names[2].Dispose();
        names[2].Dispose();
        var again = hosts.Rent("a.b");
        Assert.That((again.Name, again.IsExclusive), Is.EqualTo((names[2].Name, true)));
        Assert.That(hosts.Rent("a.b").IsExclusive, Is.False, "given back once only");
    }

    [Test]
    public void Addresses_get_synthetic_names()
    {
        var hosts = new TlsTargetHosts();
        var names = new[] { "192.0.2.1", "192.0.2.1", "192.0.2.2", "::1", "fe80::1%3" }.Select(hosts.Rent).ToList();
        Assert.That(names.Select(n => n.Name).Distinct(StringComparer.Ordinal).Count(), Is.EqualTo(5));
        Assert.That(names.Select(n => Uri.CheckHostName(n.Name)), Is.All.EqualTo(UriHostNameType.Dns));
        Assert.That(names.Select(n => n.Name), Is.All.EndsWith(".invalid"));
        Assert.That(names.Select(n => n.IsSynthetic), Is.All.True);
    }

    [Test]
    public void A_server_that_refuses_synthetic_names_gets_none_and_no_reuse()
    {
        var hosts = new TlsTargetHosts();
        hosts.Rent("192.0.2.1").Dispose();
        hosts.RefuseSynthetic("192.0.2.1");
        var after = hosts.Rent("192.0.2.1");
        Assert.That((after.Name, after.IsExclusive, after.IsSynthetic), Is.EqualTo(("192.0.2.1", false, false)));
        Assert.That(hosts.Rent("192.0.2.2").IsSynthetic, Is.True);
        hosts.AllowSynthetic("192.0.2.1");
        Assert.That(hosts.Rent("192.0.2.1").IsSynthetic, Is.True);
    }

    [TestCase("bücher.example", "xn--bcher-kva.example")]
    [TestCase("under_score.example", "under_score.example")]
    public void International_names_are_compared_as_the_wire_has_them(string written, string ascii) =>
        Assert.That(new TlsTargetHosts().Rent(written).Name, Is.EqualTo(ascii).IgnoreCase);

    [Test]
    public void Many_threads_never_share_a_name()
    {
        var hosts = new TlsTargetHosts();
        var open = new System.Collections.Concurrent.ConcurrentDictionary<string, int>(StringComparer.Ordinal);
        var shared = 0;
        Parallel.For(0, 2000, _ =>
        {
            using var host = hosts.Rent("abcdef.example");
            if (!open.TryAdd(host.Name, 0))
                Interlocked.Increment(ref shared);
            open.TryRemove(host.Name, out int _);
        });
        Assert.That(shared, Is.Zero);
    }
}
