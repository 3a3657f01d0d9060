using System.Reflection;
using Microsoft.Extensions.Logging;
using Transfer.Batch;
using Transfer.Ftp;
using Transfer.Sftp;

namespace Transfer.Tests.Architecture;

/// <summary>A log event is told from others by its number: filters and alerts are built on it.</summary>
public sealed class LogEventTests
{
    [Test]
    public void No_two_events_have_one_number()
    {
        Assembly[] assemblies = [typeof(TransferClient).Assembly, typeof(FtpTransferClient).Assembly, typeof(SftpTransferClient).Assembly,
            typeof(BatchSender).Assembly];
        var events = assemblies
            .SelectMany(assembly => assembly.GetTypes())
            .SelectMany(
                type => type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            .Select(method => (method.Name, method.GetCustomAttribute<LoggerMessageAttribute>()?.EventId))
            .Where(found => found.EventId is not null)
            .ToList();

        Assert.That(events, Has.Count.GreaterThan(50));
        Assert.That(events.GroupBy(found => found.EventId).Where(same => same.Count() > 1).Select(same => string.Join(", ", same)),
            Is.Empty);
    }
}
