# What the examples stand on: a home with a key and known hosts, local and remote files by the names that they
# have there, and people who answer questions.
$ftp, $sftp = [uri] $env:TRANSFER_FTP, [uri] $env:TRANSFER_SFTP

# PowerShell itself, as the tests run it: scheduled tasks name it.
function pwsh { dotnet "$PSHOME/pwsh.dll" @args }

# A person, who knows the log-in and one passphrase.
function Get-Credential { $credential }
function Read-Host { ConvertTo-SecureString $global:answer -AsPlainText -Force }

# Windows' scheduler, elsewhere: what is registered is run at once.
function New-ScheduledTaskAction { param($Execute, $Argument) @{ Execute = $Execute; Argument = $Argument } }
function New-ScheduledTaskTrigger { param([switch] $Daily, [datetime] $At) @{ Daily = $Daily; At = $At } }
function New-ScheduledTaskPrincipal {
    param([string] $UserId, [ValidateSet('S4U', 'Password', 'Interactive')] [string] $LogonType)
    @{ UserId = $UserId; LogonType = $LogonType }
}
function Register-ScheduledTask {
    param([string] $TaskName, $Action, $Trigger, $Principal)
    $document = Get-Content "$env:TRANSFER_REPOSITORY/docs/powershell.md" -Raw
    $file = Save-Example ([regex]::Match($document, '(?ms)^```powershell\r?\n(# mirror\.ps1.*?)^```').Groups[1].Value)
    $said = Invoke-Expression "$($Action.Execute) $($Action.Argument -replace '\S+mirror\.ps1', "'$file'")"
    if ($LASTEXITCODE -ne 0) { throw "$TaskName failed: $said" }
}

function Enter-Home {
    $home_ = (New-Item "$local/home/.ssh" -ItemType Directory -Force).Parent.FullName
    Move-Item "$local/id_ed25519" "$home_/.ssh/id_ed25519"
    if (-not $IsWindows) { chmod 600 "$home_/.ssh/id_ed25519" }
    Set-Content "$home_/.ssh/known_hosts" $env:TRANSFER_KNOWN_HOSTS -NoNewline
    # The client looks for keys of hosts there, PowerShell for ~.
    $env:HOME = $home_
    (Get-PSProvider FileSystem).Home = $home_
    $env:PSModulePath = (Split-Path (Split-Path $env:TRANSFER_MODULE)) + [System.IO.Path]::PathSeparator + $env:PSModulePath
}

function New-Files([string] $folder, [string[]] $names) {
    foreach ($name in $names) {
        $null = [System.IO.Directory]::CreateDirectory([System.IO.Path]::GetDirectoryName("$folder/$name"))
        [System.IO.File]::WriteAllText("$folder/$name", "content of $name")
    }
}

function Enter-Stage([string] $code) {
    $stage = "$local/stage"
    New-Files $stage @(
        'a.csv', 'b.csv', 'report.csv', 'report.pdf', 'local.log', 'outbox/one.txt', 'outbox/two.txt'
        'photos/1.jpg', 'photos/2.jpg', 'photos/thumbs/1.jpg', 'site/index.html', 'site/new.html', 'sent/old.txt'
    )
    Copy-Item "$stage/site" $env:HOME -Recurse -Force
    foreach ($server in $env:TRANSFER_FTP_FOLDER, $env:TRANSFER_SFTP_FOLDER) {
        foreach ($root in $server, "$server/inbox") {
            New-Files $root @(
                'report.csv', 'report.tmp', 'part1', 'part2', 'part3', 'part4', 'reports/old.csv', 'reports/today.csv'
                'logs/today.log', 'logs/old.log', 'outbox/ready', 'outbox/x.csv', 'outbox/y.csv', 'photos/1.jpg'
                'www/index.html', 'www/gone.html', 'old/x.txt', 'done/x.txt', 'orders/new.csv', 'orders/new.csv.done'
            )
            Set-Content "$root/config.json" '{ "revision": 1 }'
            (Get-Item "$root/logs/old.log").LastWriteTime = (Get-Date).AddDays(-40)
            (Get-Item "$root/reports/old.csv").LastWriteTime = (Get-Date).AddDays(-1)
        }
    }
    Push-Location $stage
    if ($code -match 'partner' -and $code -notmatch '-Name partner') { Connect-Ftp -Name partner | Out-Null }
    if ($code -match '-Server main') { Connect-Sftp -Name main | Out-Null; Connect-Ftp -Name spare | Out-Null }
    $global:server = Connect-Sftp -Name current
    $global:answer = 'a passphrase'
    Set-Content trusted.txt $env:TRANSFER_SFTP_PIN
    if ($code -match 'me\.key|me\.pub' -and $code -notmatch 'New-TransferKey') {
        foreach ($name in 'me', 'ann', 'ben') { (New-TransferKey "$name.key").PublicKey | Set-Content "$name.pub" }
    }
    if ($code -match 'Receive-TransferBatch spool' -and $code -notmatch 'Send-TransferBatch') {
        Send-TransferBatch photos spool -To ann=ann.pub -KeyFile me.key | Out-Null
    }
    if ($code -match '-Address transfer:') {
        $global:receiver = Start-Beside {
            param($folder) Receive-TransferBatch -Listen -Destination $folder -EndPoint 127.0.0.1:0 -HostName localhost
        } "$stage/received"
        Wait-Until { $receiver.Output.Count -gt 0 }
        $global:address, $global:answer = $receiver.Output[0].Address -split '#'
    }
}

function Exit-Stage {
    Pop-Location
    Get-PSDrive -PSProvider Transfer | Remove-PSDrive
    Get-TransferServer | Disconnect-TransferServer
    Get-ChildItem $env:TRANSFER_FTP_FOLDER, $env:TRANSFER_SFTP_FOLDER, "$local/stage" -Force | Remove-Item -Recurse -Force
}

# The code with the embedded servers in place of those that it names.
function Get-ExampleCode([string] $code) {
    $pin = if ($code -match 'ftp(e)?s://') { $env:TRANSFER_FTP_PIN } else { $env:TRANSFER_SFTP_PIN }
    $code = $code -replace 'SHA256:[A-Za-z0-9+/]{43}', $pin
    $code = $code -replace 'sftp://(\w+@)?[\w-]+\.example\.com(:\d+)?', "sftp://`${1}$($sftp.Authority)"
    $trust = if ($code -match ' -Pin ') { '' } else { " -Pin $env:TRANSFER_FTP_PIN" }
    $code = $code -replace 'ftp(?:e)?s://(\w+@)?[\w-]+\.example\.com(:\d+)?(\S*)', "ftpes://`${1}$($ftp.Authority)`${3}$trust"
    $code = $code -replace '(?<![/@.\w-])[\w-]+\.example\.com( -Port \d+)?(?!:)', "$($sftp.Host) -Port $($sftp.Port)"
    $code = $code -replace 'socks5://proxy\.example\.com:\d+', $env:TRANSFER_PROXY
    $code = $code -replace 'transfer://\S+', $address
    # What has no end, ends with the first item, and an endless loop does one round.
    $code = $code -replace '(Watch-TransferFolder [^|\n]+[^|\s])', '$1 -Settle 0 | Select-Object -First 1'
    $code -replace 'while \(\$true\)', 'foreach ($round in 1)'
}

function Save-Example([string] $code) {
    $file = "$env:HOME/$([regex]::Match($code, '^# (\S+\.ps1)').Groups[1].Value)"
    Set-Content $file (Get-ExampleCode $code)
    $file
}

# Receives while a batch is sent to it, as the other machine would.
function Invoke-Listening([string] $code) {
    $listener = Start-Beside ([scriptblock]::Create("Set-Location '$PWD'; $code"))
    Wait-Until { $listener.Output.Count -gt 0 -or $listener.Running.IsCompleted }
    Send-TransferBatch photos -Address ($listener.Output[0].Address -replace '//.*:', '//127.0.0.1:') | Out-Null
    Wait-Until { $listener.Running.IsCompleted }
    if ($listener.Shell.Streams.Error.Count -gt 0) { throw $listener.Shell.Streams.Error[0] }
}

function Invoke-Example([string] $code) {
    if ($code -match '-Listen') {
        Invoke-Listening $code
        return
    }
    if ($code -notmatch '^# \S+\.ps1') {
        & ([scriptblock]::Create((Get-ExampleCode $code))) | Out-Null
        return
    }
    $said = pwsh -NoProfile -NonInteractive -File (Save-Example $code)
    if ($LASTEXITCODE -ne 0) { throw "$said" }
}

# What is true behind an example; nothing: that it has run is enough.
function Get-Outcome([string] $code) {
    switch -Regex ($code) {
        '^# mirror\.ps1|Register-ScheduledTask' {
            return {
                Test-Path "$env:TRANSFER_SFTP_FOLDER/www/new.html" | Should -BeTrue
                Test-Path "$env:TRANSFER_SFTP_FOLDER/www/gone.html" | Should -BeFalse
            }
        }
        'drop/ -Server \$box' { return { (Get-ChildItem "$env:TRANSFER_FTP_FOLDER/drop").Name | Should -Be 'one.txt', 'two.txt' } }
        '^Watch-TransferFolder ./in orders' { return { Test-Path in/new.csv | Should -BeTrue } }
        '^Get-TransferEntry reports -File \| Sort-Object' {
            return {
                Test-Path today.csv | Should -BeTrue
                Test-Path old.csv | Should -BeFalse
            }
        }
        'sent/ }' {
            return {
                (Get-ChildItem sent).Name | Should -Be 'old.txt', 'one.txt', 'two.txt'
                Test-Path outbox/* | Should -BeFalse
                Test-Path "$env:TRANSFER_SFTP_FOLDER/in/two.txt" | Should -BeTrue
            }
        }
        'thumbs/\*\*' { return { (Get-ChildItem "$env:TRANSFER_SFTP_FOLDER/backup" -Recurse -File).Name | Should -Be '1.jpg', '2.jpg' } }
        '\$attempt' { return { (Get-ChildItem "$env:TRANSFER_SFTP_FOLDER/in").Name | Should -Be 'one.txt', 'two.txt' } }
        '\$old \| Remove' { return { (Get-ChildItem "$env:TRANSFER_SFTP_FOLDER/logs").Name | Should -Be today.log } }
        'archive/ -Server \$from' {
            return {
                (Get-ChildItem "$env:TRANSFER_FTP_FOLDER/archive").Name | Should -Be 'old.csv', 'today.csv'
            }
        }
        'revision\+\+' { return { (Get-Content "$env:TRANSFER_SFTP_FOLDER/config.json" | ConvertFrom-Json).revision | Should -Be 2 } }
        'fetched/' {
            return {
                (Get-ChildItem fetched).Name | Should -Be 'x.csv', 'y.csv'
                Test-Path "$env:TRANSFER_SFTP_FOLDER/outbox/ready" | Should -BeFalse
            }
        }
        'New-PSDrive.*yesterday' {
            return {
                Test-Path "$env:TRANSFER_SFTP_FOLDER/inbox/reports/yesterday.csv" | Should -BeTrue
                Get-PSDrive in -ErrorAction Ignore | Should -BeNullOrEmpty
            }
        }
        'Receive-TransferBatch' {
            return {
                (Get-ChildItem incoming -Recurse -File).Name | Sort-Object | Should -Be '1.jpg', '1.jpg', '2.jpg'
            }
        }
        'Send-TransferBatch.*spool' {
            return {
                Get-ChildItem "$env:TRANSFER_SFTP_FOLDER/spool" -Recurse -File | Should -Not -BeNullOrEmpty
            }
        }
        'Send-TransferBatch.*-Address' {
            return {
                Wait-Until { $receiver.Running.IsCompleted }
                Get-ChildItem received -Recurse -File | Should -HaveCount 3
            }
        }
        '(?s)Connect-TransferServer.*-Destination today/' {
            return {
                Test-Path "$env:TRANSFER_SFTP_FOLDER/inbox/today/a.csv" | Should -BeTrue
            }
        }
    }
}
