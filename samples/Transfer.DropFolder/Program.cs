using Transfer.DropFolder;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddTransferClient("inbox", builder.Configuration.GetSection("Inbox")).AddHealthCheck();
builder.Services.AddSingleton(TimeProvider.System);
builder.Services.AddOptions<DropFolderOptions>().Bind(builder.Configuration.GetSection("DropFolder"));
builder.Services.AddHostedService<DropFolderWorker>();
await builder.Build().RunAsync();
