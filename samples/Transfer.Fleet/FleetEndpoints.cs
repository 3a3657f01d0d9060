namespace Transfer.Fleet;

/// <summary>The page, and the requests behind the page.</summary>
internal static class FleetEndpoints
{
    /// <summary>Maps them.</summary>
    public static void MapFleet(this WebApplication app)
    {
        app.UseMiddleware<SameOrigin>();
        app.MapHealthChecks("/health");
        app.MapGet("/", () => Asset("index.html", "text/html; charset=utf-8"));
        app.MapGet("/fleet.js", () => Asset("fleet.js", "text/javascript; charset=utf-8"));
        app.MapGet("/fleet.css", () => Asset("fleet.css", "text/css; charset=utf-8"));
        app.MapGet("/servers", (FleetServers servers) => servers.Names);
        app.MapGet("/workers", (FleetPlans plans, CancellationToken ct) => plans.ReadWorkersAsync(ct));
        app.MapGet("/plans", (FleetPlans plans, CancellationToken ct) => plans.ReadAsync(ct));
        app.MapGet("/plans/{plan}", async (string plan, FleetPlans plans, CancellationToken ct) =>
            await plans.ReadAsync(plan, ct) is { } view ? Results.Ok(view) : Results.NotFound());
        app.MapPost("/plans", async (PlanRequest request, FleetPlans plans, FleetServers servers, CancellationToken ct) =>
            request.FaultOf(servers) is { } fault ? Results.Text(fault, statusCode: StatusCodes.Status400BadRequest)
            : await plans.SubmitAsync(request, ct) ? Results.Accepted($"/plans/{request.Name}")
            : Results.Text("There is a plan of that name.", statusCode: StatusCodes.Status409Conflict));
        app.MapPost("/plans/{plan}/{part}/retry", async (string plan, string part, FleetPlans plans, CancellationToken ct) =>
            await plans.RetryAsync(plan, part, ct) switch
            {
                null => Results.NotFound(),
                false => Results.Text("It runs, waits or is done.", statusCode: StatusCodes.Status409Conflict),
                true => Results.Accepted($"/plans/{plan}"),
            });
    }

    private static IResult Asset(string name, string type) =>
        Results.Stream(typeof(FleetEndpoints).Assembly.GetManifestResourceStream(name)!, type);
}
