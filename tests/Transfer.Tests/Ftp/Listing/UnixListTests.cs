using Transfer.Ftp.Listing;

namespace Transfer.Tests.Ftp.Listing;

public sealed class UnixListTests
{
    // Permissions and types.
    [TestCase("-rw-r--r--   1 alice    users        1234 Mar  5 10:22 notes.txt", "file 1234 2024-03-05T10:22:00Z 644 alice [notes.txt]")]
    [TestCase("drwxr-xr-x   2 alice    users        4096 Mar  5 10:22 docs", "dir 4096 2024-03-05T10:22:00Z 755 alice [docs]")]
    [TestCase("drwxrwxrwt  12 root     root         4096 Mar  5 10:22 tmp", "dir 4096 2024-03-05T10:22:00Z 1777 root [tmp]")]
    [TestCase("drwxrwx--T  12 root     root         4096 Mar  5 10:22 tmp", "dir 4096 2024-03-05T10:22:00Z 1770 root [tmp]")]
    [TestCase("-rwsr-xr-x   1 root     root        67992 Mar  5 10:22 su", "file 67992 2024-03-05T10:22:00Z 4755 root [su]")]
    [TestCase("-rwSr--r--   1 root     root           10 Mar  5 10:22 s", "file 10 2024-03-05T10:22:00Z 4644 root [s]")]
    [TestCase("-rwxr-sr-x   1 root     mail           10 Mar  5 10:22 s", "file 10 2024-03-05T10:22:00Z 2755 root [s]")]
    [TestCase("-rw-r-Sr--   1 root     mail           10 Mar  5 10:22 s", "file 10 2024-03-05T10:22:00Z 2644 root [s]")]
    [TestCase("-rw-r-lr--   1 root     mail           10 Mar  5 10:22 s", "file 10 2024-03-05T10:22:00Z 2644 root [s]")]
    [TestCase("-rw-r--r--+  1 alice    users          10 Mar  5 10:22 acl", "file 10 2024-03-05T10:22:00Z 644 alice [acl]")]
    [TestCase("-rw-r--r--.  1 alice    users          10 Mar  5 10:22 selinux", "file 10 2024-03-05T10:22:00Z 644 alice [selinux]")]
    [TestCase("-rw-r--r--@  1 alice    staff          10 Mar  5 10:22 xattr", "file 10 2024-03-05T10:22:00Z 644 alice [xattr]")]
    [TestCase("drwxr-xr-x1234 alice    users          10 Mar  5 10:22 many", "dir 10 2024-03-05T10:22:00Z 755 alice [many]")]
    [TestCase("----------   1 alice    users           0 Mar  5 10:22 none", "file 0 2024-03-05T10:22:00Z 0 alice [none]")]
    [TestCase("brw-rw----   1 root     disk       8,   0 Mar  5 10:22 sda", "other ? 2024-03-05T10:22:00Z 660 root [sda]")]
    [TestCase("crw-rw-rw-   1 root     root       1,3 Mar  5 10:22 null", "other ? 2024-03-05T10:22:00Z 666 root [null]")]
    [TestCase("crw-rw-rw-   1 root     1, 3 Mar  5 10:22 null", "other ? 2024-03-05T10:22:00Z 666 root [null]")]
    [TestCase("crw-rw-rw-   1 8, 3 Mar  5 10:22 null", "other ? 2024-03-05T10:22:00Z 666 ? [null]")]
    [TestCase("prw-r--r--   1 alice    users           0 Mar  5 10:22 fifo", "other ? 2024-03-05T10:22:00Z 644 alice [fifo]")]
    [TestCase("srwxr-xr-x   1 alice    users           0 Mar  5 10:22 sock", "other ? 2024-03-05T10:22:00Z 755 alice [sock]")]
    [TestCase("Drw-r--r--   1 root     root            0 Mar  5 10:22 door", "other ? 2024-03-05T10:22:00Z 644 root [door]")]
    // Links.
    [TestCase("lrwxrwxrwx   1 alice    users           7 Mar  5 10:22 bin -> usr/bin",
        "link 7 2024-03-05T10:22:00Z 777 alice [bin] -> usr/bin")]
    [TestCase("lrwxrwxrwx   1 alice    users           9 Mar  5 10:22 a -> b -> c", "link 9 2024-03-05T10:22:00Z 777 alice [a] -> b -> c")]
    [TestCase("lrwxrwxrwx   1 alice    users           9 Mar  5 10:22 no arrow", "link 9 2024-03-05T10:22:00Z 777 alice [no arrow]")]
    [TestCase("lrwxrwxrwx   1 alice    users           9 Mar  5 10:22 my link -> /a b/c ",
        "link 9 2024-03-05T10:22:00Z 777 alice [my link] -> /a b/c ")]
    [TestCase("-rw-r--r--   1 alice    users           9 Mar  5 10:22 a -> b", "file 9 2024-03-05T10:22:00Z 644 alice [a -> b]")]
    // Columns.
    [TestCase("-rw-r--r--   1 1000     1000         1234 Mar  5 10:22 ids", "file 1234 2024-03-05T10:22:00Z 644 1000 [ids]")]
    [TestCase("-rw-r--r--   1 0 0 12 Mar  5 10:22 ids", "file 12 2024-03-05T10:22:00Z 644 0 [ids]")]
    [TestCase("-rw-r--r--   1 ftp          1234 Mar  5 10:22 no group", "file 1234 2024-03-05T10:22:00Z 644 ftp [no group]")]
    [TestCase("-rw-r--r--   alice  users   1234 Mar  5 10:22 no links", "file 1234 2024-03-05T10:22:00Z 644 alice [no links]")]
    [TestCase("-rw-r--r--   1234 Mar  5 10:22 size only", "file 1234 2024-03-05T10:22:00Z 644 ? [size only]")]
    [TestCase("-rw-r--r--   1 1234 Mar  5 10:22 links and size", "file 1234 2024-03-05T10:22:00Z 644 ? [links and size]")]
    [TestCase("-rw-r--r--   1 EXAMPLE\\alice Domain Users 1234 Mar  5 10:22 groups",
        "file 1234 2024-03-05T10:22:00Z 644 EXAMPLE\\alice [groups]")]
    [TestCase("-rw-r--r--   1 may      7            1234 Mar  5 10:22 user may", "file 1234 2024-03-05T10:22:00Z 644 may [user may]")]
    [TestCase("drwxr-xr-x               folder        2 May 10  1996 network", "dir 2 1996-05-10T00:00:00Z 755 folder [network]")]
    [TestCase("-rw-r--r--\t1\talice\tusers\t1234\tMar 5 10:22\ttabs", "file 1234 2024-03-05T10:22:00Z 644 alice [tabs]")]
    [TestCase("-rw-r--r--   1 alice    users    1099511627776 Mar  5 10:22 big", "file 1099511627776 2024-03-05T10:22:00Z 644 alice [big]")]
    [TestCase("-rw-r--r--   1 alice    users    99999999999999999999 Mar  5 10:22 huge", "file ? 2024-03-05T10:22:00Z 644 alice [huge]")]
    [TestCase("-rw-r--r--   1 alice    users    1.5K Mar  5 10:22 human", "file 1536 2024-03-05T10:22:00Z 644 alice [human]")]
    // Dates.
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5  1999 old", "file 10 1999-03-05T00:00:00Z 644 alice [old]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar 05 2023 old", "file 10 2023-03-05T00:00:00Z 644 alice [old]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Feb 29  2024 leap", "file 10 2024-02-29T00:00:00Z 644 alice [leap]")]
    [TestCase("-rw-r--r--   1 alice    users    10  5 Mar 10:22 day first", "file 10 2024-03-05T10:22:00Z 644 alice [day first]")]
    [TestCase("-rw-r--r--   1 alice    users    10  5 Mar 1999 day first", "file 10 1999-03-05T00:00:00Z 644 alice [day first]")]
    [TestCase("-rw-r--r--   1 1000     1000     12  5 Mar 10:22 ids", "file 12 2024-03-05T10:22:00Z 644 1000 [ids]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 9:05 short hour", "file 10 2024-03-05T09:05:00Z 644 alice [short hour]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 09.05 dot", "file 10 2024-03-05T09:05:00Z 644 alice [dot]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22:33 2021 ls -T", "file 10 2021-03-05T10:22:33Z 644 alice [ls -T]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22 2021 report", "file 10 2024-03-05T10:22:00Z 644 alice [2021 report]")]
    [TestCase("-rw-r--r--   1 alice    users    10 2023-11-30 23:59 long-iso", "file 10 2023-11-30T23:59:00Z 644 alice [long-iso]")]
    [TestCase("-rw-r--r--   1 alice    users    10 2023-11-30 23:59:01 seconds", "file 10 2023-11-30T23:59:01Z 644 alice [seconds]")]
    [TestCase("-rw-r--r--   1 alice    users    10 2023-11-30 23:59:01.123456789 +0130 full-iso",
        "file 10 2023-11-30T23:59:01.1234567+01:30 644 alice [full-iso]")]
    [TestCase("-rw-r--r--   1 alice    users    10 2023-11-30 23:59:01.000000000 -0500 full-iso",
        "file 10 2023-11-30T23:59:01-05:00 644 alice [full-iso]")]
    [TestCase("-rw-r--r--   1 alice    users    10 11-30 23:59 iso", "file 10 2023-11-30T23:59:00Z 644 alice [iso]")]
    [TestCase("-rw-r--r--   1 alice    users    10 2022-11-30  iso", "file 10 2022-11-30T00:00:00Z 644 alice [iso]")]
    [TestCase("-rw-r--r--   1 alice    users    10 2022-11-30 day", "file 10 2022-11-30T00:00:00Z 644 alice [day]")]
    // Names.
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22  leading", "file 10 2024-03-05T10:22:00Z 644 alice [ leading]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5  1999   two leading", "file 10 1999-03-05T00:00:00Z 644 alice [  two leading]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22 trailing  ", "file 10 2024-03-05T10:22:00Z 644 alice [trailing  ]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22 a  b   c", "file 10 2024-03-05T10:22:00Z 644 alice [a  b   c]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22 -dash", "file 10 2024-03-05T10:22:00Z 644 alice [-dash]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22 dot.", "file 10 2024-03-05T10:22:00Z 644 alice [dot.]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22 10:23", "file 10 2024-03-05T10:22:00Z 644 alice [10:23]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22 02-23-05  09:24AM       <DIR>          x",
        "file 10 2024-03-05T10:22:00Z 644 alice [02-23-05  09:24AM       <DIR>          x]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22 X.TXT;1", "file 10 2024-03-05T10:22:00Z 644 alice [X.TXT;1]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22 1 Apr 6 11:11 b",
        "file 10 2024-03-05T10:22:00Z 644 alice [1 Apr 6 11:11 b]")]
    [TestCase("-rw-r--r--   1 alice    users    10 Mar  5 10:22 \u00FCber \u65E5\u672C",
        "file 10 2024-03-05T10:22:00Z 644 alice [\u00FCber \u65E5\u672C]")]
    public void A_line_gives_all_it_says(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    // German, Austrian
    [TestCase("5 Mär", "2024-03-05")]
    [TestCase("Mär  5", "2024-03-05")]
    [TestCase("MÄR  5", "2024-03-05")]
    [TestCase("Mrz  5", "2024-03-05")]
    [TestCase("5. Mai", "2024-05-05")]
    [TestCase("Okt  5", "2023-10-05")]
    [TestCase("Dez  5", "2023-12-05")]
    [TestCase("Jän  5", "2024-01-05")]
    // French
    [TestCase("5 janv.", "2024-01-05")]
    [TestCase("févr.  5", "2024-02-05")]
    [TestCase("fév  5", "2024-02-05")]
    [TestCase("mars  5", "2024-03-05")]
    [TestCase("avril 5", "2024-04-05")]
    [TestCase("juin  5", "2024-06-05")]
    [TestCase("juil. 5", "2023-07-05")]
    [TestCase("août  5", "2023-08-05")]
    [TestCase("déc.  5", "2023-12-05")]
    // Spanish, Italian, Portuguese
    [TestCase("ene  5", "2024-01-05")]
    [TestCase("ago  5", "2023-08-05")]
    [TestCase("dic  5", "2023-12-05")]
    [TestCase("gen  5", "2024-01-05")]
    [TestCase("mag  5", "2024-05-05")]
    [TestCase("giu  5", "2024-06-05")]
    [TestCase("lug  5", "2023-07-05")]
    [TestCase("set  5", "2023-09-05")]
    [TestCase("ott  5", "2023-10-05")]
    [TestCase("fev  5", "2024-02-05")]
    [TestCase("abr  5", "2024-04-05")]
    [TestCase("out  5", "2023-10-05")]
    [TestCase("dez  5", "2023-12-05")]
    // Dutch, Danish, Norwegian, Swedish
    [TestCase("mrt  5", "2024-03-05")]
    [TestCase("mei  5", "2024-05-05")]
    [TestCase("maj  5", "2024-05-05")]
    [TestCase("des.  5", "2023-12-05")]
    [TestCase("juni  5", "2024-06-05")]
    // Finnish
    [TestCase("tammi  5", "2024-01-05")]
    [TestCase("helmi  5", "2024-02-05")]
    [TestCase("touko  5", "2024-05-05")]
    [TestCase("kesä  5", "2024-06-05")]
    [TestCase("heinä  5", "2023-07-05")]
    [TestCase("marras  5", "2023-11-05")]
    [TestCase("joulu  5", "2023-12-05")]
    // Polish, Czech
    [TestCase("5 sty", "2024-01-05")]
    [TestCase("5 kwi", "2024-04-05")]
    [TestCase("5 cze", "2024-06-05")]
    [TestCase("5 paź", "2023-10-05")]
    [TestCase("5 lis", "2023-11-05")]
    [TestCase("úno  5", "2024-02-05")]
    [TestCase("bře  5", "2024-03-05")]
    [TestCase("čec  5", "2023-07-05")]
    [TestCase("zář  5", "2023-09-05")]
    [TestCase("říj  5", "2023-10-05")]
    // Russian
    [TestCase("янв  5", "2024-01-05")]
    [TestCase("мая  5", "2024-05-05")]
    [TestCase("Дек  5", "2023-12-05")]
    // Japanese, Chinese, Korean
    [TestCase("1月  5", "2024-01-05")]
    [TestCase("12月  5日", "2023-12-05")]
    [TestCase("6月5日", "2024-06-05")]
    [TestCase("3월  5", "2024-03-05")]
    public void Months_are_understood_in_many_languages(string date, string expected)
    {
        Assert.That(Listed.Parse($"-rw-r--r--   1 alice    users    10 {date} 10:22 x"),
            Is.EqualTo($"file 10 {expected}T10:22:00Z 644 alice [x]"));
        Assert.That(Listed.Parse($"-rw-r--r--   1 alice    users    10 {date}  2019 x"),
            Is.EqualTo($"file 10 2019{expected[4..]}T00:00:00Z 644 alice [x]"));
    }

    [Test]
    public void A_year_may_carry_its_sign() =>
        Assert.That(Listed.Parse("-rw-r--r-- 1 alice users 10 12月 31 2010年 x"), Is.EqualTo("file 10 2010-12-31T00:00:00Z 644 alice [x]"));

    [Test]
    public void Months_in_latin1_are_understood_through_the_lossless_encoding()
    {
        var bytes = System.Text.Encoding.Latin1.GetBytes("-rw-r--r-- 1 alice users 10 5 Mär 10:22 grün");
        var line = NameEncoding.LosslessUtf8.GetString(bytes);

        Assert.That(Listed.Parse(line), Is.EqualTo("file 10 2024-03-05T10:22:00Z 644 alice [gr\uDCFCn]"));
    }

    [Test]
    public void Months_in_utf8_are_understood_through_latin1()
    {
        var line = System.Text.Encoding.Latin1.GetString(System.Text.Encoding.UTF8.GetBytes("-rw-r--r-- 1 alice users 10 5 Mär 10:22 x"));

        Assert.That(Listed.Parse(line), Is.EqualTo("file 10 2024-03-05T10:22:00Z 644 alice [x]"));
    }

    [TestCase("2024-06-15T12:00:00Z", "Jun 15 12:00", "2024-06-15T12:00:00Z", TestName = "Now is this year")]
    [TestCase("2024-06-15T12:00:00Z", "Jun 16 12:00", "2024-06-16T12:00:00Z", TestName = "A day ahead is still this year")]
    [TestCase("2024-06-15T12:00:00Z", "Jun 16 12:01", "2023-06-16T12:01:00Z", TestName = "More than a day ahead is last year")]
    [TestCase("2024-06-15T12:00:00Z", "Dec 31 23:59", "2023-12-31T23:59:00Z", TestName = "December in June is last year")]
    [TestCase("2024-12-31T23:30:00Z", "Jan  1 00:10", "2025-01-01T00:10:00Z",
        TestName = "A clock ahead of ours is in the next year already")]
    [TestCase("2025-01-01T00:10:00Z", "Dec 31 23:50", "2024-12-31T23:50:00Z", TestName = "Last night was last year")]
    [TestCase("2025-01-15T00:00:00Z", "Feb 29 10:00", "2024-02-29T10:00:00Z", TestName = "February 29 was in the last leap year")]
    [TestCase("2027-06-01T00:00:00Z", "Feb 29 10:00", "2024-02-29T10:00:00Z", TestName = "February 29 may be years ago")]
    [TestCase("2107-06-01T00:00:00Z", "Feb 29 10:00", "2104-02-29T10:00:00Z", TestName = "February 29 after a century without")]
    [TestCase("2103-06-01T00:00:00Z", "Feb 29 10:00", "2096-02-29T10:00:00Z", TestName = "February 29 around a century without")]
    public void A_date_without_a_year_is_the_latest_that_has_come(string now, string date, string expected)
    {
        var context = new ListingContext { Now = DateTimeOffset.Parse(now, System.Globalization.CultureInfo.InvariantCulture) };

        Assert.That(Listed.Parse($"-rw-r--r-- 1 alice users 10 {date} x", context), Is.EqualTo($"file 10 {expected} 644 alice [x]"));
    }

    [TestCase("Mar  5 10:22", "2024-03-05T10:22:00+02:00")]
    [TestCase("Mar  5  1999", "1999-03-05T00:00:00+02:00", TestName = "An unknown time of day is midnight at the server")]
    [TestCase("2023-11-30 23:59", "2023-11-30T23:59:00+02:00")]
    [TestCase("2023-11-30 23:59:01.0 -0500", "2023-11-30T23:59:01-05:00", TestName = "A zone in the line wins")]
    public void Times_are_the_servers(string date, string expected)
    {
        var context = Listed.Context with { Offset = TimeSpan.FromHours(2) };

        Assert.That(Listed.Parse($"-rw-r--r-- 1 alice users 10 {date} x", context), Is.EqualTo($"file 10 {expected} 644 alice [x]"));
    }

    [Test]
    public void The_year_turns_when_it_turns_at_the_server()
    {
        // 2025 has begun at the server ten hours ahead; two days ago there is December 30.
        var context = new ListingContext
        {
            Now = new DateTimeOffset(2024, 12, 31, 18, 0, 0, TimeSpan.Zero),
            Offset = TimeSpan.FromHours(10)
        };

        Assert.That(Listed.Parse("-rw-r--r-- 1 alice users 10 Jan  2 03:00 x", context), Does.Contain("2025-01-02T03:00:00+10:00"));
        Assert.That(Listed.Parse("-rw-r--r-- 1 alice users 10 Jan  2 05:00 x", context), Does.Contain("2024-01-02T05:00:00+10:00"));
    }

    [TestCase(15 * 60 * 60)]
    [TestCase(-15 * 60 * 60)]
    [TestCase(30)]
    public void An_offset_that_no_zone_has_is_refused_before_any_line_is_parsed(int seconds) =>
        Assert.That(() => Listed.Context with { Offset = TimeSpan.FromSeconds(seconds) }, Throws.TypeOf<ArgumentOutOfRangeException>());

    [TestCase("total 48")]
    [TestCase("total 0")]
    [TestCase("total 4.5K")]
    [TestCase("total used in directory 6404 available 12345")]
    [TestCase("insgesamt 48")]
    [TestCase("yhteensä 48")]
    [TestCase("итого 48")]
    [TestCase("合計 48")]
    [TestCase("")]
    [TestCase("   ")]
    public void A_total_is_no_entry(string line) => Assert.That(Listed.Parse(line), Is.EqualTo(Listed.Nothing));

    [TestCase("ls: cannot open directory '.': Permission denied")]
    [TestCase("-rw-r--r--")]
    [TestCase("-rw-r--r--   1 alice    users        1234")]
    [TestCase("-rw-r--r--   1 alice    users        1234 Mar  5 10:22")]
    [TestCase("-rw-r--r--   1 alice    users        1234 Mar  5 10:22 ")]
    [TestCase("-rw-r--r--   1 alice    users        1234 Mar  5 25:22 x")]
    [TestCase("-rw-r--r--   1 alice    users        1234 Mar 32 10:22 x")]
    [TestCase("-rw-r--r--   1 alice    users        1234 Feb 30 10:22 x")]
    [TestCase("-rw-r--r--   1 alice    users        1234 Feb 29  2023 x")]
    [TestCase("-rw-r--r--   1 alice    users        1234 Foo  5 10:22 x")]
    [TestCase("-rw-r--r--   1 alice    users        big Mar  5 10:22 x")]
    [TestCase("-wr-r--r--   1 alice    users        1234 Mar  5 10:22 x")]
    [TestCase("Xrw-r--r--   1 alice    users        1234 Mar  5 10:22 x")]
    [TestCase("-rw-r--r--x  1 alice    users        1234 Mar  5 10:22 x")]
    [TestCase("README.TXT")]
    public void A_line_that_is_none_is_not_understood(string line) => Assert.That(Listed.Parse(line), Is.EqualTo(Listed.NotUnderstood));

    [Test]
    public void A_word_and_a_number_are_a_total_only_in_front()
    {
        var lines = Listed.ParseAll(["insgesamt 48", "-rw-r--r-- 1 alice users 10 Mar  5 10:22 x", "chapter 12"]);

        Assert.That(lines, Is.EqualTo(new[] { Listed.Nothing, "file 10 2024-03-05T10:22:00Z 644 alice [x]", Listed.NotUnderstood }));
    }
}
