# All that changes something, with -WhatIf and with -Confirm whose prompts are answered with No: nothing may change, at the server and here.
. $PSScriptRoot/Common.ps1
Import-Module $env:TRANSFER_MODULE
. $PSScriptRoot/User.ps1
$env:XDG_STATE_HOME = "$local/state"
New-Item "$local/folder/below" -ItemType Directory -Force | Out-Null
Set-Content "$local/folder/below/a.txt" one
Set-Content "$local/b.txt" two

$changes = @(
    { Send-TransferFile "$local/b.txt" @how }
    { Send-TransferFile "$local/b.txt" new/ -Resume @how }
    { Send-TransferFile "$local/folder" @how }
    { Get-ChildItem $local -File | Send-TransferFile -Destination new/ @how }
    { Receive-TransferFile there.txt "$local/fetched.txt" @how }
    { Receive-TransferFile there.txt "$local/fetched/" -Resume @how }
    { Receive-TransferFile full "$local/fetched/" @how }
    { Get-TransferEntry full -File | Receive-TransferFile -Destination "$local/fetched/" @how }
    { Copy-TransferFile there.txt copy.txt @how }
    { Copy-TransferFile full copies/ @how }
    { Copy-TransferFile there.txt copy.txt -ToServer second @how }
    { Sync-TransferFolder $local / -Direction Up -Delete @how }
    { Sync-TransferFolder $local full -Direction Down -Delete @how }
    { Sync-TransferFolder full empty -Direction ServerToServer -ToServer second -Delete @how }
    { New-TransferFolder made @how }
    { Remove-TransferEntry there.txt @how }
    { Remove-TransferEntry full -Recurse @how }
    { Get-TransferEntry full -File | Remove-TransferEntry @how }
    { Move-TransferEntry there.txt elsewhere.txt @how }
    { Set-TransferEntry there.txt -LastWriteTime 2020-02-02 @how }
    { Set-TransferEntry full -Mode 700 -Recurse @how }
    { 'new' | Set-TransferContent there.txt @how }
    { Send-TransferBatch "$local/folder" spool -To ann -Passphrase $secret @how }
    { Receive-TransferBatch spool "$local/fetched" -As ann -Passphrase $secret @how }
    { Receive-TransferBatch -Listen -Destination "$local/fetched" -EndPoint 127.0.0.1:0 @how }
    { New-TransferKey "$local/new.key" @how }
    { Remove-Item there:/there.txt @how }
    { Remove-Item there:/full -Recurse @how }
    { New-Item there:/new.txt -Value new @how }
    { New-Item there:/new -ItemType Directory @how }
    { Set-Content there:/there.txt new @how }
    { Add-Content there:/there.txt new @how }
    { Clear-Content there:/there.txt @how }
    { Rename-Item there:/there.txt other.txt @how }
    { Move-Item there:/there.txt there:/full/ @how }
    { Copy-Item there:/there.txt there:/copy.txt @how }
    { Copy-Item there:/full there:/copies -Recurse @how }
)

function Get-State {
    Get-ChildItem $local, $env:TRANSFER_FOLDER -Recurse -Force |
        ForEach-Object { "$_ $($_.Length) $($_.UnixMode) $($_.LastWriteTimeUtc.Ticks)" }
}

$user = [AnsweringHost]::new()
$user.Otherwise = 'No'
$session = New-UserSession $user
$null = $session.AddScript({
    $secret = ConvertTo-SecureString demo -AsPlainText -Force
    $trust = $env:TRANSFER_PIN ? @{ Pin = $env:TRANSFER_PIN } : @{}
    $null = Connect-TransferServer $env:TRANSFER_URI -Credential $credential @trust -Name second
    $null = Connect-TransferServer $env:TRANSFER_URI -Credential $credential @trust -Name first
    $null = New-PSDrive there -PSProvider Transfer -Root '' -Server first
}).Invoke()
$before = Get-State

foreach ($how in 'WhatIf', 'Confirm') {
    foreach ($change in $changes) {
        $asked, $told = $user.Prompts.Count, $user.Lines.Count
        $session.Commands.Clear()
        $null = $session.AddScript("`$how = @{ $how = `$true }; . { $change }").Invoke()
        if ($session.HadErrors) { throw "$change with -${how}: $($session.Streams.Error)" }
        if ($how -eq 'Confirm' -and $user.Prompts.Count -eq $asked) { throw "No prompt: $change" }
        $lines = $user.Lines | Select-Object -Skip $told | Where-Object { $_ -like 'What if: *' }
        if ($how -eq 'WhatIf' -and -not $lines) { throw "No line: $change" }
    }
}
$changed = Compare-Object $before (Get-State)
if ($changed) { throw "Changed: $($changed.InputObject)" }
$null = $session.AddScript('Remove-Module Transfer').Invoke()
'unchanged'
