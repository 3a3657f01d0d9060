using Transfer.Sftp.Ssh.Ciphers;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Tests.Sftp.Ssh;

/// <summary>Packets sealed and opened with every cipher and MAC.</summary>
[Category(Categories.Slow)]
public sealed class CipherTests
{
    private static readonly byte[] Key = [.. Enumerable.Range(0, 64).Select(i => (byte)(i * 7))];

    private static IEnumerable<TestCaseData> Suites()
    {
        foreach (var cipher in CipherAlgorithm.All)
        {
            foreach (var mac in cipher.Authenticates ? [MacAlgorithm.All[0]] : MacAlgorithm.All)
                yield return new TestCaseData(cipher.Name, mac.Name).SetArgDisplayNames(cipher.Name, cipher.Authenticates ? "" : mac.Name);
        }
    }

    [TestCaseSource(nameof(Suites))]
    public async Task What_was_sealed_comes_out_however_it_is_split(string cipher, string mac)
    {
        var payloads = Enumerable.Range(1, 80).Select(Payload).Append(Payload(32768 + 9)).ToArray();
        var wire = Seal(cipher, mac, payloads);
        foreach (var step in new[] { 1, 7, 100_000 })
        {
            using var reader = Reader(cipher, mac, new ChunkStream(wire, step));
            foreach (var payload in payloads) Assert.That((await NextAsync(reader)).AsSpan().SequenceEqual(payload));
            Assert.That(await reader.FillAsync(default), Is.False);
        }
    }

    [TestCaseSource(nameof(Suites))]
    public async Task A_flipped_bit_anywhere_is_refused(string cipher, string mac)
    {
        var payload = Payload(37);
        var wire = Seal(cipher, mac, payload);
        for (var bit = 0; bit < wire.Length * 8; bit++)
        {
            var altered = wire.ToArray();
            altered[bit / 8] ^= (byte)(1 << (bit % 8));

            // A length that was made larger waits for more: there is enough behind it for the largest.
            using var reader = Reader(cipher, mac,
                new ChunkStream(altered, altered.Length) { ZerosBehind = PacketLimits.MaxLength + 4096 });
            var failure = await SshHarness.FailureOfAsync(NextAsync(reader));
            Assert.That(failure.Error, Is.EqualTo(TransferError.Protocol), $"bit {bit}");
        }
    }

    [TestCaseSource(nameof(Suites))]
    public async Task Packets_in_another_order_or_twice_are_refused(string cipher, string mac)
    {
        var (first, both) = (Seal(cipher, mac, Payload(20)), Seal(cipher, mac, Payload(20), Payload(20)));
        using (var swapped = Reader(cipher, mac,
            new ChunkStream([.. both[first.Length..], .. new byte[PacketLimits.MaxLength + 4096]], 100_000)))
        {
            Assert.That((await SshHarness.FailureOfAsync(NextAsync(swapped))).Error, Is.EqualTo(TransferError.Protocol));
        }

        using var twice = Reader(cipher, mac, new ChunkStream([.. first, .. first, .. new byte[PacketLimits.MaxLength + 4096]], 100_000));
        await NextAsync(twice);
        Assert.That((await SshHarness.FailureOfAsync(NextAsync(twice))).Error, Is.EqualTo(TransferError.Protocol));
    }

    [TestCaseSource(nameof(Suites))]
    public async Task A_steady_flow_allocates_nothing_a_packet(string cipher, string mac)
    {
        const int Packets = 200;
        var payload = Payload(8192);
        using var sender = Sender(cipher, mac);
        using var source = new MemoryStream();
        using var reader = Reader(cipher, mac, source);
        var measured = 0;
        for (var round = 0; round < 2; round++)
        {
            source.SetLength(0);
            for (var i = 0; i < Packets; i++)
            {
                var meter = AllocationMeter.Start();
                sender.AddPacket(payload, []);
                var wire = sender.Take();
                Check(meter.Stop(), "sealing");
                source.Write(wire.Span);
            }

            source.Position = 0;
            for (var i = 0; i < Packets;)
            {
                await reader.FillAsync(default);
                while (true)
                {
                    var meter = AllocationMeter.Start();
                    var taken = reader.TryRead(out _);
                    Check(meter.Stop(), "opening");
                    if (!taken) break;
                    i++;
                }
            }

            // The first round is the runtime's, which makes ready what it needs once.
            void Check(long? allocated, string step)
            {
                if (round == 0 || allocated is null) return;
                // The library's engines take keys and nonces as objects.
                Assert.That(allocated, cipher == CipherAlgorithm.ChaChaPoly ? Is.LessThan(1024) : Is.Zero, step);
                measured++;
            }
        }

        Assert.That(measured, Is.GreaterThan(Packets));
    }

    [TestCase("aes128-gcm@openssh.com", "00000000")]
    [TestCase("aes128-gcm@openssh.com", "FFFFFFFF")]
    [TestCase("aes128-gcm@openssh.com", "00040010")] // the next multiple above 256 KiB
    [TestCase("aes128-ctr", "00000000")]
    [TestCase("aes128-ctr", "FFFFFFFF")]
    public async Task Impossible_lengths_are_refused_before_anything_is_waited_for(string cipher, string length)
    {
        using var reader = Reader(cipher, "hmac-sha2-256-etm@openssh.com", new ChunkStream(Convert.FromHexString(length), 4));
        await reader.FillAsync(default);
        Assert.That(() => reader.TryRead(out _),
            Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
    }

    [TestCase("00000000")] // nothing
    [TestCase("00000005" + "0400000000")] // no multiple of 8
    [TestCase("0000000C" + "030102030405060708000000")] // too little padding
    [TestCase("0000000C" + "0B0102030405060708090A0B")] // padding and no payload
    [TestCase("0000000C" + "FF0102030405060708090A0B")] // more padding than packet
    [TestCase("FFFFFFFF")]
    [TestCase("00040004")] // above 256 KiB
    [TestCase("474554202F20485454502F312E310D0A")] // GET / HTTP/1.1
    public async Task Malformed_packets_in_the_clear_are_refused(string hex)
    {
        using var reader = new PacketReader(new ChunkStream(Convert.FromHexString(hex), 3));
        Assert.That((await SshHarness.FailureOfAsync(NextAsync(reader))).Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public void ChaCha20_and_Poly1305_are_put_together_as_OpenSSH_does()
    {
        // By the library's parts, step by step as PROTOCOL.chacha20poly1305 has them. That OpenSSH reads and writes the same is seen with
        // its server.
        var (key, packet, tag) = (Key, Payload(44), new byte[16]);
        var plain = packet.ToArray();
        using var cipher = new ChaChaPolyCipher(key);
        cipher.Seal(0x01020304, packet, tag);
        var nonce = new byte[] { 0, 0, 0, 0, 1, 2, 3, 4 };
        var body = Stream(key[..32], nonce, 64 + 40);
        Assert.That(packet[..4], Is.EqualTo(Xor(plain[..4], Stream(key[32..], nonce, 4))));
        Assert.That(packet[4..], Is.EqualTo(Xor(plain[4..], body[64..])));
        var poly = new Org.BouncyCastle.Crypto.Macs.Poly1305();
        poly.Init(new Org.BouncyCastle.Crypto.Parameters.KeyParameter(body[..32]));
        poly.BlockUpdate(packet, 0, packet.Length);
        var expected = new byte[16];
        poly.DoFinal(expected, 0);
        Assert.That(tag, Is.EqualTo(expected));

        static byte[] Stream(byte[] key, byte[] nonce, int count)
        {
            var engine = new Org.BouncyCastle.Crypto.Engines.ChaChaEngine(20);
            engine.Init(true,
                new Org.BouncyCastle.Crypto.Parameters.ParametersWithIV(new Org.BouncyCastle.Crypto.Parameters.KeyParameter(key), nonce));
            var stream = new byte[count];
            engine.ProcessBytes(stream, 0, count, stream, 0);
            return stream;
        }

        static byte[] Xor(byte[] data, byte[] stream) => [.. data.Zip(stream, (a, b) => (byte)(a ^ b))];
    }

    [Test]
    public void Counter_mode_matches_the_published_vector()
    {
        // NIST SP 800-38A, F.5.1.
        using var stream = new CtrKeyStream(Convert.FromHexString("2b7e151628aed2a6abf7158809cf4f3c"),
            Convert.FromHexString("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"));
        var data = Convert.FromHexString("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
        stream.Apply(data.AsSpan(0, 5));
        stream.Apply(data.AsSpan(5));
        Assert.That(Convert.ToHexStringLower(data), Is.EqualTo("874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"));
    }

    [Test]
    public void The_counter_carries_through_all_its_bytes()
    {
        var high = new byte[32];
        using (var stream = new CtrKeyStream(Key.AsSpan(0, 16), Convert.FromHexString("ffffffffffffffffffffffffffffffff")))
            stream.Apply(high);
        var zero = new byte[16];
        using (var stream = new CtrKeyStream(Key.AsSpan(0, 16), new byte[16])) stream.Apply(zero);
        Assert.That(high[16..], Is.EqualTo(zero));
    }

    [Test]
    public void The_size_of_a_packet_with_a_password_does_not_tell_its_length()
    {
        using var sender = Sender("aes128-gcm@openssh.com", MacAlgorithm.All[0].Name);
        var sizes = Enumerable.Range(1, 60).Select(length =>
        {
            sender.AddPacket(new byte[50 + length], [], hideIn: 128);
            return sender.Take().Length;
        }).Distinct();
        Assert.That(sizes, Has.Exactly(1).Items);
    }

    private static byte[] Payload(int size) => [.. Enumerable.Range(size, size).Select(i => (byte)i)];

    private static PacketCipher Make(string cipher, string mac)
    {
        var algorithm = CipherAlgorithm.Get(cipher);
        var macAlgorithm = MacAlgorithm.Get(mac);
        return algorithm.Create(Key.AsSpan(0, algorithm.KeySize), Key.AsSpan(0, algorithm.NonceSize), macAlgorithm,
            Key.AsSpan(0, macAlgorithm.Size));
    }

    private static SendBuffer Sender(string cipher, string mac)
    {
        var sender = new SendBuffer();
        sender.ChangeKeys(Make(cipher, mac), resetSequence: true);
        return sender;
    }

    private static byte[] Seal(string cipher, string mac, params byte[][] payloads)
    {
        using var sender = Sender(cipher, mac);
        foreach (var payload in payloads) sender.AddPacket(payload.AsSpan(0, 1), payload.AsSpan(1));
        return sender.Take().ToArray();
    }

    private static PacketReader Reader(string cipher, string mac, Stream stream)
    {
        var reader = new PacketReader(stream);
        reader.ChangeKeys(Make(cipher, mac), resetSequence: true);
        return reader;
    }

    private static async Task<byte[]> NextAsync(PacketReader reader)
    {
        ReadOnlyMemory<byte> payload;
        while (!reader.TryRead(out payload))
        {
            if (!await reader.FillAsync(default)) throw new EndOfStreamException();
        }

        return payload.ToArray();
    }
}
