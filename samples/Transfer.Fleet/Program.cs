using Transfer.Fleet;

var builder = WebApplication.CreateBuilder(args);
builder.AddFleet();
var app = builder.Build();
await app.Services.GetRequiredService<FleetStore>().CreateTablesAsync();
app.MapFleet();
await app.RunAsync();
