using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Transfer;

namespace Programs;

/// <summary>Two named clients in a host: one from configuration, one from code with a secret from elsewhere.</summary>
internal static class HostedClients
{
    public static async Task RunAsync(string[] settings)
    {
        var builder = Host.CreateApplicationBuilder(settings);
        builder.Services.AddTransferClient("inbox", builder.Configuration.GetSection("Inbox")).AddHealthCheck();
        builder.Services.AddTransferClient("archive", client => client.Url = new Uri(builder.Configuration["Archive:Url"]!))
            .WithCredential(services => services.GetRequiredService<Secrets>().ForArchive())
            .ConfigureFtp(ftp => ftp with { IdleTimeout = TimeSpan.FromSeconds(30) });
        builder.Services.AddSingleton<Secrets>().AddSingleton<Reports>();
        using var host = builder.Build();

        await host.Services.GetRequiredService<Reports>().SendAsync("report.pdf", CancellationToken.None);
        var health = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Console.WriteLine($"health: {health.Status}");
    }

    /// <summary>A service of the application: it gets its clients by their names.</summary>
    private sealed class Reports([FromKeyedServices("inbox")] TransferClient inbox, [FromKeyedServices("archive")] TransferClient archive)
    {
        public async Task SendAsync(string path, CancellationToken cancellationToken)
        {
            await inbox.UploadFileAsync(path, Path.GetFileName(path), cancellationToken: cancellationToken);
            var options = new UploadOptions { CreateDirectories = true };
            await archive.UploadFileAsync(path, $"{DateTime.UtcNow:yyyy}/{path}", options, cancellationToken: cancellationToken);
            Console.WriteLine($"{path} is in the inbox and in the archive");
        }
    }

    /// <summary>Stands for the application's store of secrets.</summary>
    private sealed class Secrets(IConfiguration configuration)
    {
        public TransferCredential ForArchive() => new("demo", configuration["Archive:Secret"]!);
    }
}
