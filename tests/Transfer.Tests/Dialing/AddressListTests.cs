using System.Net;
using System.Net.Sockets;
using Transfer.Dialing;

namespace Transfer.Tests.Dialing;

public sealed class AddressListTests
{
    [TestCase("2001:db8::1,2001:db8::2,192.0.2.1,192.0.2.2", "2001:db8::1,192.0.2.1,2001:db8::2,192.0.2.2")]
    [TestCase("192.0.2.1,192.0.2.2,2001:db8::1", "192.0.2.1,2001:db8::1,192.0.2.2")]
    [TestCase("192.0.2.1,2001:db8::1,2001:db8::2,2001:db8::3", "192.0.2.1,2001:db8::1,2001:db8::2,2001:db8::3")]
    [TestCase("192.0.2.3,192.0.2.1,192.0.2.2", "192.0.2.3,192.0.2.1,192.0.2.2")]
    [TestCase("192.0.2.1", "192.0.2.1")]
    public void Families_alternate_and_begin_with_the_first_addresss(string given, string expected) =>
        Assert.That(Order(given, AddressFamily.Unspecified), Is.EqualTo(expected));

    [TestCase(AddressFamily.InterNetwork, "192.0.2.1,192.0.2.2")]
    [TestCase(AddressFamily.InterNetworkV6, "2001:db8::1")]
    public void A_family_that_is_asked_for_is_the_only_one_left(AddressFamily family, string expected) =>
        Assert.That(Order("192.0.2.1,2001:db8::1,192.0.2.2", family), Is.EqualTo(expected));

    [Test]
    public void An_address_that_is_given_twice_is_tried_once() =>
        Assert.That(Order("127.0.0.1,127.0.0.1,::1,127.0.0.1", AddressFamily.Unspecified), Is.EqualTo("127.0.0.1,::1"));

    [Test]
    public void No_address_of_the_family_leaves_nothing() =>
        Assert.That(AddressList.Order([IPAddress.Loopback], AddressFamily.InterNetworkV6), Is.Empty);

    private static string Order(string addresses, AddressFamily family) =>
        string.Join(',', AddressList.Order(addresses.Split(',').Select(IPAddress.Parse), family));
}
