# What both scripts about ends stand on: many small files, and a look at what commands have left.
$many = (New-Item "$local/many" -ItemType Directory).FullName
1..300 | ForEach-Object { [System.IO.File]::WriteAllText("$many/$_.txt", "content $_") }

# Files that are not whole, and on Linux those that a process has open, at the servers and here.
function Get-Rest {
    $root = Split-Path $local
    Get-ChildItem $root -Recurse -Force -File -Filter *.part | ForEach-Object FullName
    Get-ChildItem $root -Recurse -Force -File -Filter *.txt | Where-Object Length -eq 0 | ForEach-Object FullName
    if ($IsLinux) { find /proc/self/fd/ "/proc/$env:TRANSFER_SERVER_PROCESS/fd/" "/proc/$PID/fd/" -lname "$root/*" -printf '%l\n' 2>$null }
}

# Commands end with everything in order at this machine at once. The server's own end of a file follows.
function Assert-Nothing($server) {
    Wait-Until { -not (Get-Rest) }
    Test-TransferServer -Quiet -Server $server | Should -BeTrue
}

function Start-Block([string] $block) { Start-Beside ([scriptblock]::Create("param(`$server, `$many)`n$block")) $server $many }

function Wait-Beginning($beside) { Wait-Until { $beside.Output.Count -gt 0 -or $beside.Running.IsCompleted } }
