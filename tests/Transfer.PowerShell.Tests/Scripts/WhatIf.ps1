# Everything that changes something, with -WhatIf.
$ErrorActionPreference = 'Stop'
Import-Module $env:TRANSFER_MODULE
$secret = ConvertTo-SecureString demo -AsPlainText -Force
Connect-TransferServer $env:TRANSFER_FTP -Credential ([pscredential]::new('demo', $secret)) | Out-Null
New-Item (Join-Path $env:TRANSFER_LOCAL 'folder/below') -ItemType Directory -Force | Out-Null
Set-Content (Join-Path $env:TRANSFER_LOCAL 'folder/below/a.txt') one
Set-Content (Join-Path $env:TRANSFER_LOCAL 'b.txt') two
$said = & {
    Send-TransferFile (Join-Path $env:TRANSFER_LOCAL b.txt) -WhatIf
    Send-TransferFile (Join-Path $env:TRANSFER_LOCAL folder) -WhatIf
    Sync-TransferFolder $env:TRANSFER_LOCAL / -Direction Up -Delete -WhatIf
    New-TransferFolder made -WhatIf
    Remove-TransferEntry there.txt -WhatIf
    Move-TransferEntry there.txt elsewhere.txt -WhatIf
    Set-TransferEntry there.txt -LastWriteTime (Get-Date) -WhatIf
    'new' | Set-TransferContent there.txt -WhatIf
    Copy-TransferFile there.txt copy.txt -WhatIf
    Send-TransferBatch (Join-Path $env:TRANSFER_LOCAL folder) spool -To ann -Passphrase $secret -WhatIf
    Receive-TransferBatch spool (Join-Path $env:TRANSFER_LOCAL fetched) -As ann -Passphrase $secret -WhatIf
    Receive-TransferFile there.txt (Join-Path $env:TRANSFER_LOCAL fetched.txt) -WhatIf
} *>&1
if (Test-Path (Join-Path $env:TRANSFER_LOCAL fetched.txt)) { throw 'It was fetched.' }
if ($said | Where-Object { $_ -is [System.Management.Automation.ErrorRecord] }) { throw $said }
Remove-Module Transfer
