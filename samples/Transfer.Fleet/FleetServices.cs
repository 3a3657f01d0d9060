using System.Text.Json.Serialization;
using Microsoft.Extensions.Options;
using Npgsql;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Quartz;
using Quartz.Diagnostics;
using Transfer.Hosting;

namespace Transfer.Fleet;

/// <summary>The services of a worker.</summary>
internal static class FleetServices
{
    /// <summary>Adds the clients of the servers, Quartz, the database, the telemetry.</summary>
    public static void AddFleet(this WebApplicationBuilder builder)
    {
        var section = builder.Configuration.GetSection(FleetOptions.Section);
        var fleet = section.Get<FleetOptions>() ?? new();
        var database = builder.Configuration.GetConnectionString(FleetOptions.Section)
            ?? throw new InvalidOperationException("ConnectionStrings:Fleet is missing: the fleet's database.");
        var services = builder.Services;
        services.AddOptions<FleetOptions>().Bind(section).ValidateOnStart();
        services.AddSingleton<IValidateOptions<FleetOptions>, FleetOptions>();
        services.AddSingleton(NpgsqlDataSource.Create(database));
        services.AddSingleton<FleetStore>().AddSingleton<FleetServers>().AddSingleton<FleetQueue>().AddSingleton<FleetRun>();
        services.AddSingleton<FleetPlans>().AddSingleton<FleetMetrics>();
        services.AddSingleton(TimeProvider.System);
        services.ConfigureHttpJsonOptions(json => json.SerializerOptions.Converters.Add(new JsonStringEnumConverter()));
        services.AddHealthChecks().AddQuartz();
        foreach (var (name, server) in fleet.Servers)
        {
            services.AddTransferClient(name, section.GetSection($"{nameof(FleetOptions.Servers)}:{name}:Client"));
            services.PostConfigure<TransferClientSettings>(name, settings =>
            {
                if (server.SessionsTotal is { } sessions) settings.MaxSessions = sessions / fleet.Workers;
                if (server.BytesPerSecondTotal is { } bytes) settings.MaxBytesPerSecond = bytes / fleet.Workers;
            });
        }
        AddQuartz(services, fleet, database);
        AddTelemetry(builder);
    }

    private static void AddQuartz(IServiceCollection services, FleetOptions fleet, string database)
    {
        services.AddQuartz(quartz =>
        {
            quartz.ConfigureScheduler(scheduler =>
            {
                scheduler.InstanceName = "fleet";
                // Never the same twice: containers have the same names and process numbers again.
                scheduler.InstanceId = $"{Environment.MachineName}-{Guid.NewGuid().ToString("N")[..8]}";
                // A stopped worker's parts go back in line, and end at the next safe point.
                scheduler.ShutdownJobInterruption = ShutdownJobInterruption.Always;
                scheduler.IdleWaitTime = TimeSpan.FromSeconds(1);
            });
            quartz.UseDefaultThreadPool(fleet.PartsAtOnce);
            if (fleet.Retries > 0) quartz.UseDefaultRetryPolicy(RetryPolicy.Exponential(fleet.Retries, fleet.RetryDelay, 2));
            quartz.UsePersistentStore(store =>
            {
                store.ProvisionSchema();
                store.UsePostgres(NpgsqlFactory.Instance, database);
                store.UseClustering(
                    cluster => (cluster.CheckinInterval, cluster.CheckinMisfireThreshold) = (fleet.CheckIn, fleet.CheckIn * 2));
            });
        });
        services.AddQuartzHostedService(hosted => hosted.WaitForJobsToComplete = true);
    }

    private static void AddTelemetry(WebApplicationBuilder builder)
    {
        var telemetry = builder.Services.AddOpenTelemetry()
            .WithMetrics(metrics => metrics.AddTransferInstrumentation().AddMeter(FleetMetrics.Name, QuartzInstrumentation.MeterName))
            .WithTracing(traces => traces.AddTransferInstrumentation().AddSource(QuartzInstrumentation.ActivitySourceName));
        if (builder.Configuration["OTEL_EXPORTER_OTLP_ENDPOINT"] is null) return;
        telemetry.WithMetrics(metrics => metrics.AddOtlpExporter()).WithTracing(traces => traces.AddOtlpExporter());
    }
}
