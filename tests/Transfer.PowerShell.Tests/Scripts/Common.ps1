# What all scripts begin with: both servers, and a folder of files.
$ErrorActionPreference = 'Stop'
$credential = [pscredential]::new('demo', (ConvertTo-SecureString demo -AsPlainText -Force))
$local = $env:TRANSFER_LOCAL

function Connect-Ftp { Connect-TransferServer $env:TRANSFER_FTP -Credential $credential -Pin $env:TRANSFER_FTP_PIN @args }
function Connect-Sftp { Connect-TransferServer $env:TRANSFER_SFTP -Credential $credential -Pin $env:TRANSFER_SFTP_PIN @args }

# The records of errors that a block writes or ends with, and nothing else of it.
function Get-Errors([scriptblock] $block) {
    $ErrorActionPreference = 'Continue'
    $found = [System.Collections.Generic.List[object]]::new()
    try { & $block 2>&1 3>$null | Where-Object { $_ -is [System.Management.Automation.ErrorRecord] } | ForEach-Object { $found.Add($_) } }
    catch { $found.Add($_) }
    $found
}

# Waits for something that comes by itself.
function Wait-Until([scriptblock] $condition) {
    # Not a measure of speed: what has not come by then does not come.
    for ($end = [datetime]::UtcNow.AddSeconds(90); -not (& $condition);
        Start-Sleep -Milliseconds 20) { if ([datetime]::UtcNow -gt $end) { throw "It does not come: $condition" } }
}

# Runs a block with arguments in a runspace of its own that has the module, and goes on.
function Start-Beside([scriptblock] $block) {
    $state = [initialsessionstate]::CreateDefault()
    $state.ImportPSModule($env:TRANSFER_MODULE)
    $shell = [powershell]::Create($state)
    $null = $shell.AddScript($block)
    $args | ForEach-Object { $null = $shell.AddArgument($_) }
    $output = [System.Management.Automation.PSDataCollection[psobject]]::new()
    $running = [powershell].GetMethods().Where{ $_.Name -eq 'BeginInvoke' -and $_.GetParameters().Count -eq 2 -and
        $_.IsGenericMethod }[0].MakeGenericMethod([psobject], [psobject]).Invoke($shell, @($null, $output))
    [pscustomobject] @{ Shell = $shell; Output = $output; Running = $running }
}

# Stops what runs beside, as Ctrl-C does, and fails where that hangs.
function Stop-Beside($beside) {
    $stop = $beside.Shell.BeginStop($null, $null)
    Wait-Until { $stop.IsCompleted }
    $beside.Shell.EndStop($stop)
}
