using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Transfer.Ftp;
using Transfer.Hosting;
using Transfer.Testing;
using Transfer.Tests.Engine;
using MemoryStore = Transfer.Testing.MemoryStore;

namespace Transfer.Tests.Hosting;

/// <summary>Named clients in a container: two servers, settings that change, health, metrics.</summary>
[TestFixture]
[Parallelizable(ParallelScope.All)]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class HostingTests
{
    private readonly MemoryStore _firstFiles = new();
    private readonly MemoryStore _secondFiles = new();
    private readonly IConfigurationRoot _configuration = new ConfigurationBuilder().AddInMemoryCollection().Build();
    private FtpTestServer _first = null!;
    private FtpTestServer _second = null!;

    [SetUp]
    public async Task Start_two_servers()
    {
        _first = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _firstFiles });
        _second = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _secondFiles });
        Set("Inbox", _first);
        Set("Outbox", _second);
    }

    [TearDown]
    public async Task Stop_them()
    {
        await _first.DisposeAsync();
        await _second.DisposeAsync();
    }

    [Test]
    public async Task Clients_have_names_and_each_its_own_server()
    {
        await using var services = Build(services => { });
        var inbox = services.GetRequiredKeyedService<TransferClient>("inbox");
        await UploadAsync(inbox, "a");
        await UploadAsync(services.GetRequiredKeyedService<TransferClient>("outbox"), "b");
        Assert.Multiple(() =>
        {
            Assert.That(Names(_firstFiles), Is.EqualTo(new[] { "a" }));
            Assert.That(Names(_secondFiles), Is.EqualTo(new[] { "b" }));
            Assert.That(services.GetRequiredKeyedService<TransferClient>("inbox"), Is.SameAs(inbox));
        });
    }

    [Test]
    public async Task Settings_that_change_hold_for_all_that_begins_from_then_on()
    {
        await using var services = Build(services => { });
        var client = services.GetRequiredKeyedService<TransferClient>("inbox");
        await UploadAsync(client, "before");
        var content = new HeldStream();
        var underWay = client.UploadAsync(content, "/under-way");
        await content.WasRead;
        Set("Inbox", _second);
        _configuration.Reload();

        await UploadAsync(client, "after");
        content.Release();
        await underWay;
        Assert.Multiple(() =>
        {
            Assert.That(Names(_firstFiles), Is.EqualTo(new[] { "before", "under-way" }), "what was under way has ended where it began");
            Assert.That(Names(_secondFiles), Is.EqualTo(new[] { "after" }));
            Assert.That(client.Endpoint.Port, Is.EqualTo(_second.EndPoint.Port));
        });
    }

    [TestCase("Url", "")]
    [TestCase("Url", "gopher://127.0.0.1/")]
    [TestCase("MaxSessions", "0")]
    [TestCase("MaxSessions", "abc")]
    [TestCase("IdleTimeout", "soon")]
    [TestCase("PasswordFile", "/absent/password")]
    public async Task Settings_of_which_no_client_can_be_made_are_logged_and_the_old_ones_hold(string key, string value)
    {
        var lines = new ConcurrentQueue<string>();
        using var log = new LogEvents(["SettingsRefused"], lines.Enqueue);
        await using var services = Build(services => services.AddSingleton<ILoggerFactory>(log));
        var client = services.GetRequiredKeyedService<TransferClient>("inbox");
        await UploadAsync(client, "before");
        _configuration[$"Inbox:{key}"] = value;
        _configuration.Reload();
        await UploadAsync(client, "after");
        Assert.Multiple(() =>
        {
            Assert.That(Names(_firstFiles), Is.EqualTo(new[] { "after", "before" }));
            Assert.That(lines, Has.Some.Contains("'inbox' have changed, no client can be made of them"));
        });
    }

    // A password in a URL, a misspelt name, and a list that is none: each is named, and no value is shown.
    [TestCase("Url", "sftp://demo:s3cret@files.example.com:99999999/in", "Inbox:Url")]
    [TestCase("MaxSessions", "s3cret", "Inbox:MaxSessions")]
    [TestCase("Pin:0", "s3cret", "'Pin' (Inbox:Pin)")]
    [TestCase("Pasword", "s3cret", "'Pasword' (Inbox:Pasword)")]
    [TestCase("Pins", "SHA256:s3cret", "Inbox:Pins")]
    [TestCase("Identities", "/s3cret", "Inbox:Identities")]
    [TestCase("Pins:0:Key", "s3cret", "Inbox:Pins")]
    [TestCase("Password:0", "s3cret", "Inbox:Password")]
    [TestCase("RateChanges:0:Tiem", "s3cret", "'Tiem'")]
    [TestCase("RateChanges:0:Time", "s3cret", "Inbox:RateChanges")]
    public async Task A_setting_that_is_not_one_is_an_error_with_its_name_and_without_its_value(string key, string value, string named)
    {
        using var log = new LogLines(LogLevel.Information);
        await using var services = Build(services => services.AddSingleton<ILoggerFactory>(log).AddLogging(),
            builder => builder.AddHealthCheck("inbox"));
        var client = services.GetRequiredKeyedService<TransferClient>("inbox");
        _configuration[$"Inbox:{key}"] = value;
        _configuration.Reload();
        await UploadAsync(client, "after");

        await using var others = Build(services => services.AddSingleton<ILoggerFactory>(log).AddLogging(),
            builder => builder.AddHealthCheck("inbox"));
        var entry = (await others.GetRequiredService<HealthCheckService>().CheckHealthAsync()).Entries["inbox"];
        Assert.Multiple(() =>
        {
            Assert.That(entry.Status, Is.EqualTo(HealthStatus.Unhealthy));
            Assert.That(entry.Description, Does.Contain(named));
            Assert.That(entry.Exception?.ToString(), Does.Not.Contain("s3cret"));
            Assert.That(log.Exceptions.Select(each => each.ToString()), Is.Not.Empty.And.All.Contain(named).And.All.Not.Contain("s3cret"));
            Assert.That(Names(_firstFiles), Is.EqualTo(new[] { "after" }), "the old settings hold");
        });
    }

    // A client that ignored these would send the password in clear text, and in place of a key.
    [TestCase("Pins:0", "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "Pins")]
    [TestCase("KnownHosts", "/s3cret", "KnownHosts")]
    [TestCase("Identities:0", "/s3cret", "Identities")]
    [TestCase("IdentityPassphrase", "s3cret", "IdentityPassphrase")]
    public async Task A_setting_of_another_protocol_is_an_error_with_its_name(string key, string value, string named)
    {
        foreach (var url in new[] { _first.Uri.ToString(), "file:///tmp/" })
        {
            _configuration["Inbox:Url"] = url;
            _configuration[$"Inbox:{key}"] = value;
            await using var services = Build(services => { });
            Assert.That(() => services.GetRequiredKeyedService<TransferClient>("inbox"),
                Throws.InvalidOperationException.With.Message.Contains($"'inbox' has {named}").And.Message.Not.Contains("s3cret"));
        }
    }

    [Test]
    public async Task Pins_are_taken_where_the_options_start_TLS([Values("ftp", "ftpes", "ftps")] string scheme)
    {
        _configuration["Inbox:Url"] = scheme + "://127.0.0.1/";
        _configuration["Inbox:Pins:0"] = "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        await using var services = Build(services => { },
            inbox => inbox.ConfigureFtp(ftp => scheme == "ftp" ? ftp with { TlsMode = FtpTlsMode.Explicit } : ftp));
        Assert.That(services.GetRequiredKeyedService<TransferClient>("inbox").Endpoint.Scheme, Is.EqualTo(scheme));
    }

    [TestCase("Url")]
    [TestCase("MaxSessions")]
    [TestCase("IdleTimeout")]
    public void A_value_that_is_empty_is_no_other_exception_than_a_wrong_one(string key)
    {
        _configuration[$"Inbox:{key}"] = string.Empty;
        using var services = Build(services => { });
        Assert.That(() => services.GetRequiredKeyedService<TransferClient>("inbox"), Throws.InvalidOperationException);
    }

    [Test]
    public async Task A_log_in_that_the_application_cannot_give_is_logged_and_the_old_one_holds()
    {
        var lines = new ConcurrentQueue<string>();
        using var log = new LogEvents(["SettingsRefused"], lines.Enqueue);
        var isThere = true;
        await using var services = Build(services => services.AddSingleton<ILoggerFactory>(log),
            inbox => inbox.WithCredential(
                _ => isThere ? new TransferCredential("demo", "demo") : throw new KeyNotFoundException("no such secret")));
        var client = services.GetRequiredKeyedService<TransferClient>("inbox");
        await UploadAsync(client, "before");
        isThere = false;
        _configuration.Reload();
        await UploadAsync(client, "after");
        Assert.That(Names(_firstFiles), Is.EqualTo(new[] { "after", "before" }));
        Assert.That(lines, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task A_reload_that_changes_nothing_of_a_client_leaves_it_its_sessions()
    {
        var lines = new ConcurrentQueue<string>();
        using var log = new LogEvents(["SettingsChanged"], lines.Enqueue);
        await using var services = Build(services => services.AddSingleton<ILoggerFactory>(log));
        await UploadAsync(services.GetRequiredKeyedService<TransferClient>("inbox"), "before");
        await UploadAsync(services.GetRequiredKeyedService<TransferClient>("outbox"), "before");
        Set("Outbox", _first);
        _configuration["Logging:LogLevel:Default"] = "Debug";
        _configuration.Reload();
        await UploadAsync(services.GetRequiredKeyedService<TransferClient>("inbox"), "after");
        Assert.That(lines.Single(), Does.Contain("'outbox'"));
        Assert.That(_first.Commands.Count(command => command.Verb == "PASS"), Is.EqualTo(1), "log-ins");
    }

    [TestCase("MaxSessions", "3")]
    [TestCase("IdleTimeout", "00:01:00")]
    [TestCase("LogInTimeout", "00:01:00")]
    [TestCase("MaxBytesPerSecond", "1000000")]
    [TestCase("RateChanges:0:Time", "08:00")]
    [TestCase("UserName", "ann")]
    [TestCase("Password", "other")]
    [TestCase("Pins:0", "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [TestCase("KnownHosts", "/absent/known_hosts")]
    [TestCase("IdentityPassphrase", "secret")]
    public async Task A_change_of_any_setting_makes_a_new_client(string key, string value)
    {
        _configuration["Inbox:Url"] = "sftp://127.0.0.1:1/";
        var lines = new ConcurrentQueue<string>();
        using var log = new LogEvents(["SettingsChanged"], lines.Enqueue);
        await using var services = Build(services => services.AddSingleton<ILoggerFactory>(log));
        _ = services.GetRequiredKeyedService<TransferClient>("inbox");
        _configuration[$"Inbox:{key}"] = value;
        _configuration.Reload();
        Assert.That(lines, Has.Count.EqualTo(1));
    }

    [Test]
    public void A_limit_may_depend_on_the_time()
    {
        var settings = new TransferClientSettings();
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["RateChanges:0:Time"] = "08:00",
            ["RateChanges:0:BytesPerSecond"] = "1048576",
            ["RateChanges:1:Time"] = "18:00",
            ["RateChanges:2:Time"] = "08:00",
            ["RateChanges:2:Day"] = "Sunday",
        }).Build();
        SettingsReader.Read(configuration, "inbox", settings);
        Assert.That(settings.RateChanges, Is.EqualTo(new RateChange[]
        {
            new(new(8, 0), 1 << 20), new(new(18, 0)), new(new(8, 0)) { Day = DayOfWeek.Sunday },
        }));
    }

    [Test]
    public void A_client_without_a_url_says_whose_it_is()
    {
        using var services = new ServiceCollection().AddTransferClient("nowhere", _ => { }).Services.BuildServiceProvider();
        Assert.That(() => services.GetRequiredKeyedService<TransferClient>("nowhere"),
            Throws.InvalidOperationException.With.Message.Contains("'nowhere' needs a Url"));
    }

    [Test]
    public async Task A_container_that_is_disposed_synchronously_closes_its_clients()
    {
        var services = Build(services => { });
        var client = services.GetRequiredKeyedService<TransferClient>("inbox");
        await UploadAsync(client, "a");
        services.Dispose();
        Assert.That(async () => await client.PingAsync(), Throws.InstanceOf<ObjectDisposedException>());
        await Eventually.IsAsync(() => _first.CurrentConnections, 0);
    }

    [Test]
    public async Task Log_ins_come_from_a_delegate_and_options_from_code()
    {
        var asked = 0;
        await using var services = new ServiceCollection()
            .AddTransferClient("inbox", settings => settings.Url = _first.Uri)
            .WithCredential(_ =>
            {
                asked++;
                return new TransferCredential("demo", "demo");
            })
            .ConfigureFtp(options => options with { ClientName = "hosting-tests" }).Services.BuildServiceProvider();
        await UploadAsync(services.GetRequiredKeyedService<TransferClient>("inbox"), "a");
        Assert.Multiple(() =>
        {
            Assert.That(asked, Is.EqualTo(1));
            Assert.That(_first.Commands.Select(command => command.ToString()), Has.Some.Contains("hosting-tests"));
        });
    }

    [Test]
    public async Task A_password_comes_from_a_file()
    {
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, "demo\nno part of it\n");
            await using var services = new ServiceCollection().AddTransferClient("inbox",
                settings =>
                (settings.Url, settings.UserName, settings.PasswordFile) = (_first.Uri, "demo", file)).Services.BuildServiceProvider();
            await UploadAsync(services.GetRequiredKeyedService<TransferClient>("inbox"), "a");
            Assert.That(Names(_firstFiles), Is.EqualTo(new[] { "a" }));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Test]
    public async Task The_health_check_fails_while_the_server_says_nothing_and_passes_again_behind_it()
    {
        await using var services = Build(services => services.AddLogging(),
            builder => builder.AddHealthCheck(timeout: TimeSpan.FromSeconds(1)));
        var health = services.GetRequiredService<HealthCheckService>();
        await IsHealthyAsync(health);
        var stall = _first.Faults.Stall(FtpFaults.AnyVerb, times: int.MaxValue);
        var report = await health.CheckHealthAsync();
        _first.Faults.Clear();
        stall.Release();
        Assert.Multiple(() =>
        {
            Assert.That(report.Status, Is.EqualTo(HealthStatus.Unhealthy));
            Assert.That(report.Entries["transfer-inbox"].Description, Does.Contain("no answer within 1 s"));
        });
        await IsHealthyAsync(health);
    }

    [TestCase("ftp", false)]
    [TestCase("ftp", true)]
    [TestCase("sftp", false)]
    public async Task The_health_check_says_that_the_port_refuses(string scheme, bool wasReached)
    {
        await using var services = Build(services => services.AddLogging(),
            builder => builder.AddHealthCheck(timeout: TimeSpan.FromSeconds(1)));
        _configuration["Inbox:Url"] = $"{scheme}://127.0.0.1:{_first.EndPoint.Port}/";
        var health = services.GetRequiredService<HealthCheckService>();
        if (wasReached) await IsHealthyAsync(health);
        await _first.DisposeAsync();
        var entry = (await health.CheckHealthAsync()).Entries["transfer-inbox"];
        Assert.Multiple(() =>
        {
            Assert.That(entry.Status, Is.EqualTo(HealthStatus.Unhealthy));
            Assert.That(entry.Description, Does.Contain("no answer within 1 s: Lost").And.Contain("refused").IgnoreCase);
            Assert.That(entry.Exception, Is.InstanceOf<TransferConnectionException>());
        });
    }

    // A check that a busy machine keeps from its answer for a second fails; one of the next must pass.
    private static async Task IsHealthyAsync(HealthCheckService health)
    {
        var report = await health.CheckHealthAsync();
        for (var i = 0; i < 10 && report.Status != HealthStatus.Healthy; i++) report = await health.CheckHealthAsync();
        Assert.That(report.Status, Is.EqualTo(HealthStatus.Healthy), report.Entries["transfer-inbox"].Description);
    }

    [Test]
    public async Task The_health_check_names_what_is_wrong()
    {
        await using var services = Build(services => services.AddLogging(),
            builder => builder.AddHealthCheck("inbox", failureStatus: HealthStatus.Degraded));
        _configuration["Inbox:Password"] = "wrong";
        _configuration.Reload();
        var report = await services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.Multiple(() =>
        {
            Assert.That(report.Status, Is.EqualTo(HealthStatus.Degraded));
            Assert.That(report.Entries["inbox"].Description, Does.EndWith(": Auth"));
        });
    }

    [Test]
    public async Task A_client_that_cannot_be_made_fails_its_own_health_check_and_no_other()
    {
        _configuration["Inbox:PasswordFile"] = "/absent/password";
        await using var services = Build(services => services.AddLogging().AddHealthChecks().AddCheck("other",
            () => HealthCheckResult.Healthy()), builder => builder.AddHealthCheck("inbox", failureStatus: HealthStatus.Degraded));
        var report = await services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.Multiple(() =>
        {
            Assert.That(report.Entries["inbox"].Status, Is.EqualTo(HealthStatus.Degraded));
            Assert.That(report.Entries["inbox"].Exception?.Message, Does.Contain("/absent/password"));
            Assert.That(report.Entries["other"].Status, Is.EqualTo(HealthStatus.Healthy));
        });
    }

    [Test]
    public async Task Of_two_reloads_at_once_the_newer_settings_hold()
    {
        using var isRead = new ManualResetEventSlim();
        using var goesOn = new ManualResetEventSlim();
        var isFirst = 0;
        await using var services = Build(services => { }, inbox => inbox.ConfigureFtp(options =>
        {
            // The first reload has read its settings, and is slow.
            if (Interlocked.Increment(ref isFirst) == 2)
            {
                isRead.Set();
                goesOn.Wait(Eventually.Hang);
            }
            return options;
        }));
        var client = services.GetRequiredKeyedService<TransferClient>("inbox");
        Set("Inbox", _second);
        var older = Task.Run(_configuration.Reload);
        isRead.Wait(Eventually.Hang);
        Set("Inbox", _first);
        var newer = Task.Run(_configuration.Reload);
        await Task.WhenAny(newer, Task.Delay(TimeSpan.FromMilliseconds(200)));
        goesOn.Set();
        await Task.WhenAll(older, newer);
        Assert.That(client.Endpoint.Port, Is.EqualTo(_first.EndPoint.Port));
    }

    [Test]
    public async Task OpenTelemetry_sees_the_metrics()
    {
        var metrics = new List<Metric>();
        using var provider = Sdk.CreateMeterProviderBuilder().AddTransferInstrumentation().AddInMemoryExporter(metrics).Build();
        await using var services = Build(services => { });
        var inbox = services.GetRequiredKeyedService<TransferClient>("inbox");
        await UploadAsync(inbox, "a");
        await inbox.DownloadAsync("/a", new MemoryStream());
        await inbox.DownloadAsync("/absent", new MemoryStream()).Failure<TransferException>();
        provider.ForceFlush();
        Assert.Multiple(() =>
        {
            var durations = Points(metrics, TransferTelemetry.OperationDuration, "s");
            Assert.That(durations.Select(point => (point[TransferTelemetry.OperationAttribute],
                    point.GetValueOrDefault(TransferTelemetry.ErrorTypeAttribute))),
                Is.EquivalentTo(new (object?, object?)[] { ("upload", null), ("download", null), ("download", "NotFound") }));
            Assert.That(durations.Select(point => point["buckets"]), Has.All.EqualTo(
                "0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 30 60 300 900 3600 14400"));
            Assert.That(Points(metrics, TransferTelemetry.Io, "By").Select(point => (point[TransferTelemetry.DirectionAttribute],
                    point["sum"])), Is.EquivalentTo(new (object?, object?)[] { ("transmit", 3L), ("receive", 3L) }));
            Assert.That(Points(metrics, TransferTelemetry.ConnectionCount, "{connection}").Single()["sum"], Is.EqualTo(1L));
        });
    }

    [Test]
    public async Task OpenTelemetry_sees_the_spans()
    {
        var spans = new List<Activity>();
        var provider = Sdk.CreateTracerProviderBuilder().AddTransferInstrumentation().AddInMemoryExporter(spans).Build();
        await using var services = Build(services => { });
        var inbox = services.GetRequiredKeyedService<TransferClient>("inbox");
        await UploadAsync(inbox, "a");
        await inbox.DownloadAsync("/absent", new MemoryStream()).Failure<TransferException>();
        // The list of spans grows by those of other tests until then.
        provider.Dispose();
        Assert.That(
            spans.Where(span => Equals(span.GetTagItem(TransferTelemetry.PortAttribute), _first.EndPoint.Port))
                .Select(span => (span.OperationName, span.Kind, span.Status, span.GetTagItem(TransferTelemetry.ErrorTypeAttribute))),
            Is.EqualTo(new (string, ActivityKind, ActivityStatusCode, object?)[]
            {
                ("upload", ActivityKind.Client, ActivityStatusCode.Unset, null),
                ("download", ActivityKind.Client, ActivityStatusCode.Error, "NotFound"),
            }));
    }

    [Test]
    public void Settings_say_nothing_of_secrets() =>
        Assert.That(new TransferClientSettings { Password = "s3cret", UserName = "user" }.ToString(),
            Is.EqualTo(nameof(TransferClientSettings)));

    private ServiceProvider Build(Action<IServiceCollection> add, Action<TransferClientBuilder>? inbox = null)
    {
        var services = new ServiceCollection();
        var builder = services.AddTransferClient("inbox", _configuration.GetSection("Inbox"));
        services.AddTransferClient("outbox", _configuration.GetSection("Outbox"));
        inbox?.Invoke(builder);
        add(services);
        return services.BuildServiceProvider();
    }

    private void Set(string section, FtpTestServer server)
    {
        _configuration[$"{section}:Url"] = server.Uri.ToString();
        _configuration[$"{section}:UserName"] = "demo";
        _configuration[$"{section}:Password"] = "demo";
    }

    private static async Task UploadAsync(TransferClient client, string name) =>
        await client.UploadAsync(new MemoryStream([1, 2, 3]), "/" + name);

    private static IEnumerable<string> Names(MemoryStore store) => store.Files.Select(path => path[1..]).Order(StringComparer.Ordinal);

    // The attributes of each point of the first server, and its sum or its buckets' bounds.
    private List<Dictionary<string, object?>> Points(List<Metric> metrics, string name, string unit)
    {
        var points = new List<Dictionary<string, object?>>();
        var metric = metrics.Single(metric => metric.Name == name);
        Assert.That(metric.Unit, Is.EqualTo(unit));
        foreach (ref readonly var point in metric.GetMetricPoints())
        {
            var values = new Dictionary<string, object?>();
            foreach (var tag in point.Tags) values.Add(tag.Key, tag.Value);
            if (!Equals(values.GetValueOrDefault(TransferTelemetry.PortAttribute), _first.EndPoint.Port)) continue;
            Assert.That((values[TransferTelemetry.SchemeAttribute], values[TransferTelemetry.AddressAttribute]),
                Is.EqualTo(("ftp", "127.0.0.1")));
            if (metric.MetricType == MetricType.Histogram) values.Add("buckets", string.Join(' ', Bounds(point)));
            else values.Add("sum", point.GetSumLong());
            points.Add(values);
        }

        return points;
    }

    private static List<string> Bounds(in MetricPoint point)
    {
        var bounds = new List<string>();
        foreach (var bucket in point.GetHistogramBuckets())
        {
            if (!double.IsPositiveInfinity(bucket.ExplicitBound))
                bounds.Add(bucket.ExplicitBound.ToString(CultureInfo.InvariantCulture));
        }

        return bounds;
    }
}
