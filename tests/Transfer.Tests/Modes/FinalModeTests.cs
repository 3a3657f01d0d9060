using Transfer.Modes;

namespace Transfer.Tests.Modes;

public sealed class FinalModeTests
{
    [TestCase("600", "644", "600", TestName = "A_replaced_file_keeps_its_permissions")]
    [TestCase("755", "600", "755", TestName = "A_replaced_file_keeps_them_whatever_the_source_has")]
    [TestCase("6755", "644", "755", TestName = "Set_user_id_and_set_group_id_do_not_survive_a_replacement")]
    [TestCase("1777", "644", "777", TestName = "The_sticky_bit_does_not_survive_a_replacement")]
    [TestCase(null, "600", "600", TestName = "A_new_file_has_the_sources_permissions")]
    [TestCase(null, "777", "755", TestName = "A_new_file_has_them_without_what_the_umask_takes_away")]
    [TestCase(null, "4755", "755", TestName = "A_sources_set_user_id_is_not_copied")]
    [TestCase(null, null, "644", TestName = "A_new_file_without_a_source_has_what_new_files_have")]
    public void The_rule(string? replaced, string? source, string expected)
    {
        ReplacedFile? old = replaced is null ? null : new(Octal(replaced), IsSameGroup: true);
        Assert.That(FinalMode.Decide(null, old, source is null ? null : Octal(source), Octal("022")), Is.EqualTo(Octal(expected)));
    }

    [TestCase("640", "600")]
    [TestCase("660", "600")]
    [TestCase("644", "644")]
    [TestCase("775", "755")]
    [TestCase("604", "644")]
    public void Another_group_gets_what_others_had(string replaced, string expected) =>
        Assert.That(FinalMode.Decide(null, new(Octal(replaced), IsSameGroup: false), null, null), Is.EqualTo(Octal(expected)));

    [Test]
    public void What_is_asked_for_by_name_is_given_whatever_was_there_and_never_more_than_nine_bits() =>
        Assert.That(FinalMode.Decide(Octal("6777"), new(Octal("600"), true), Octal("644"), Octal("077")), Is.EqualTo(Octal("777")));

    [Test]
    public void Without_a_umask_it_is_left_to_the_server() => Assert.That(FinalMode.Decide(null, null, Octal("644"), null), Is.Null);

    [TestCase("644", "022")]
    [TestCase("600", "077")]
    [TestCase("640", "027")]
    [TestCase("664", "002")]
    [TestCase("660", "007")]
    [TestCase("666", "000")]
    public void A_umask_shows_by_what_it_makes_of_0666(string created, string umask) =>
        Assert.That(FinalMode.UmaskOf(Octal(created)), Is.EqualTo(Octal(umask)));

    [Test]
    public void Every_result_is_within_nine_bits_and_no_replaced_file_is_opened_to_anybody()
    {
        for (var mode = 0; mode < 0x1000; mode++)
        {
            var same = (int)FinalMode.Decide(null, new((UnixFileMode)mode, true), null, null)!.Value;
            var other = (int)FinalMode.Decide(null, new((UnixFileMode)mode, false), null, null)!.Value;
            Assert.That(same, Is.EqualTo(mode & 0x1FF));
            Assert.That(other & ~0x1FF, Is.Zero);
            Assert.That(other & 7, Is.EqualTo(mode & 7));
            Assert.That(other >> 3 & 7, Is.EqualTo(mode & 7));
        }
    }

    private static UnixFileMode Octal(string digits) => (UnixFileMode)Convert.ToInt32(digits, 8);
}
