# One session with Transfer and with other modules, which have older versions of the same libraries: whoever loads first, both work.
param([Parameter(Mandatory)] [ValidateSet('Others', 'Transfer')] [string] $First)
. $PSScriptRoot/../Common.ps1
$uri = [uri] $env:TRANSFER_SFTP

function Assert([bool] $holds, [string] $what) { if (-not $holds) { throw "Not so: $what" } }

# As modules load them: by Add-Type, and as a module of an assembly. What they need is found beside them.
function Import-Others {
    foreach ($path in $env:TRANSFER_OTHERS -split ';') { Add-Type -Path $path }
    Import-Module $env:TRANSFER_OTHER_MODULE -Global
}

function Use-Others {
    $client = [Renci.SshNet.SftpClient]::new($uri.Host, $uri.Port, 'demo', 'demo')
    $client.Connect()
    $client.WriteAllText('/by-the-other.txt', 'other')
    $names = $client.ListDirectory('/').Name
    $client.Dispose()
    Assert ($names -contains 'by-the-other.txt') 'SSH.NET lists what it has written'
    [Microsoft.Extensions.Logging.Abstractions.NullLogger]::Instance.IsEnabled('Error') | Out-Null
}

function Use-Transfer {
    Connect-Sftp | Out-Null
    Set-Content "$local/file.txt" content
    Assert ((Send-TransferFile "$local/file.txt" here/ -Overwrite Always).Files -eq 1) 'a file is sent'
    Assert ((Receive-TransferFile here/file.txt "$local/back.txt" -Overwrite Always).Files -eq 1) 'a file is fetched'
    Assert ((Get-Content "$local/back.txt") -eq 'content') 'it has its content'
    Assert ((Get-TransferEntry here).Name -eq 'file.txt') 'it is listed'
    $logged = Send-TransferFile "$local/file.txt" here/ -Overwrite Always -Verbose 4>&1 |
        Where-Object { $_ -is [System.Management.Automation.VerboseRecord] -and $_.Message -match ': 1 files, \d+ bytes' }
    Assert (@($logged).Count -eq 1) 'what the client logs goes through our own library'
    Get-TransferServer | Disconnect-TransferServer
}

# The contexts that assemblies of a name are loaded in, each with the version.
function Get-Loaded([string] $name) {
    foreach ($context in [System.Runtime.Loader.AssemblyLoadContext]::All) {
        foreach ($assembly in $context.Assemblies | Where-Object { $_.GetName().Name -eq $name }) {
            "$($context.Name) $($assembly.GetName().Version.Major)" }
    }
}

if ($First -eq 'Others') { Import-Others; Use-Others }
Import-Module $env:TRANSFER_MODULE
Use-Transfer
if ($First -eq 'Transfer') { Import-Others }
Use-Others
Use-Transfer

foreach ($name in 'Microsoft.Extensions.Logging.Abstractions', 'BouncyCastle.Cryptography') {
    $loaded = Get-Loaded $name | Sort-Object
    $loaded
    Assert ($loaded.Count -eq 2 -and $loaded[0] -like 'Default *' -and
        $loaded[1] -like 'Transfer *') "$name is loaded once for each: $loaded"
}
Assert ((Get-Loaded Microsoft.Extensions.Logging.Abstractions | Sort-Object)[0] -eq 'Default 8') 'the others have their own version'
Assert ((Get-Loaded Microsoft.Extensions.Logging.Abstractions | Sort-Object)[1] -eq 'Transfer 10') 'and so has Transfer'
Assert ([Renci.SshNet.SftpClient].Assembly.GetName().Version.Major -eq 2024) 'SSH.NET is the one of the others'
Remove-Module Transfer
'isolated'
