# The command in an image without a shell or package manager: docker build -t transfer . && docker run --rm -v "$PWD:/data" transfer put photos sftp://...
FROM mcr.microsoft.com/dotnet/sdk:10.0-noble-aot AS build
WORKDIR /src
COPY . .
RUN dotnet publish samples/Transfer.Cli -c Release -p:PackTool=linux-x64 -p:ToolPlatform=linux-x64 -p:MinVerSkip=true -o /out

# Chiseled, with ICU: names are compared in Unicode's normal forms.
FROM mcr.microsoft.com/dotnet/runtime-deps:10.0-noble-chiseled-extra
COPY --from=build /out/transfer /usr/bin/transfer
WORKDIR /data
ENTRYPOINT ["/usr/bin/transfer"]
