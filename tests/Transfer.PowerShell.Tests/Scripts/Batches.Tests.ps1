BeforeDiscovery { $protocols = 'Ftp', 'Sftp' }
BeforeAll {
    . $PSScriptRoot/Common.ps1
    # What is remembered between runs is the test's own, also where no folder is given for it.
    $env:XDG_STATE_HOME = "$local/states"
    New-Item "$local/many/below", "$local/many/empty" -ItemType Directory -Force | Out-Null
    1..40 | ForEach-Object { Set-Content "$local/many/file$_.txt" "content $_" }
    Set-Content -LiteralPath "$local/many/below/odd [1] `$x.txt" odd
    Push-Location $local
    $secret = ConvertTo-SecureString 'six words at random are good' -AsPlainText -Force
    $me, $ann, $ben = 'me', 'ann', 'ben' | ForEach-Object { New-TransferKey "$_.key" }
    $ann.PublicKey | Set-Content ann.pub

    function Start-Listening([string] $folder, [string] $state, [switch] $PassThru) {
        Start-Beside {
            param($folder, $state, $passThru)
            $kept = if ($state) { @{ StateFolder = $state } } else { @{} }
            Receive-TransferBatch -Listen -Destination $folder -EndPoint 127.0.0.1:0 -HostName localhost -NoDelta -PassThru:$passThru @kept
        } $folder $state ([bool] $PassThru)
    }

    # The address of a receiver that is not there any more.
    function Get-ListenAddress([string] $state) {
        $shell = Start-Listening "$local/none" $state
        Wait-Until { $shell.Output.Count -gt 0 }
        $shell.Shell.Stop()
        $shell.Output[0].Address
    }
}
AfterAll { Pop-Location }

Describe 'New-TransferKey' {
    It 'makes a private key for its user alone, and gives the public half' {
        $ann.Path | Should -Be (Join-Path $local ann.key)
        $ann.PublicKey | Should -Match '^p256:[A-Za-z0-9_-]+$'
        $ann.IsShared | Should -BeFalse
        Get-Content ann.key -Raw | Should -Match 'BEGIN PRIVATE KEY'
        if (-not $IsWindows) { [int] (Get-Item ann.key).UnixFileMode | Should -Be 384 }
    }

    It 'encrypts a private key' {
        New-TransferKey locked.key -Passphrase $secret | Out-Null
        Get-Content locked.key -Raw | Should -Match 'BEGIN ENCRYPTED PRIVATE KEY'
        Get-Content locked.key -Raw | Should -Not -Match 'six words'
    }

    It 'makes a key that all share, which has no public half' {
        $key = New-TransferKey team.key -Shared
        $key.IsShared | Should -BeTrue
        $key.PublicKey | Should -BeNullOrEmpty
    }

    It 'leaves a file that exists, and makes none with -WhatIf' {
        $before = Get-Content ann.key -Raw
        (Get-Errors { New-TransferKey ann.key })[0].CategoryInfo.Category | Should -Be ResourceExists
        Get-Content ann.key -Raw | Should -Be $before
        New-TransferKey planned.key -WhatIf
        Test-Path planned.key | Should -BeFalse
        (Get-Errors { New-TransferKey none/new.key })[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.*'
    }
}

Describe 'Batches over <_>' -ForEach $protocols {
    BeforeAll {
        $server = & "Connect-$_" -Name $_
        $there = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value
        $in = Join-Path $local "in-$_"
    }
    AfterAll { Disconnect-TransferServer $server }

    It 'go through a folder of the server to each recipient, and the last one deletes them' {
        $sent = Send-TransferBatch many spool -To ann=ann.pub, "ben=$($ben.PublicKey)" -KeyFile me.key
        $sent | Should -HaveCount 1
        $sent.Files | Should -Be 41
        $sent.Failed | Should -Be 0
        Get-ChildItem "$there/spool" -Recurse -File | Select-String 'content 7' |
            Should -BeNullOrEmpty -Because 'the server can read nothing'
        $got = Receive-TransferBatch spool "$in/ann" -As ann -KeyFile ann.key -From $me.PublicKey
        $got | Should -HaveCount 1
        $got.Files | Should -Be 41
        Get-Content "$in/ann/file7.txt" | Should -Be 'content 7'
        Get-Content -LiteralPath "$in/ann/below/odd [1] `$x.txt" | Should -Be odd
        Test-Path "$in/ann/empty" | Should -BeTrue
        (Receive-TransferBatch spool "$in/ann" -As ann -KeyFile ann.key -From $me.PublicKey).Files | Should -Be 0 -Because 'it was fetched'
        (Receive-TransferBatch spool "$in/ben" -As ben -KeyFile ben.key -From $me.PublicKey).Files | Should -Be 41
        Get-ChildItem "$there/spool" -Recurse -File | Should -BeNullOrEmpty
    }

    It 'are not taken from other senders' {
        Send-TransferBatch many others -To ann=ann.pub -KeyFile me.key | Out-Null
        $got = Receive-TransferBatch others "$in/others" -As ann -KeyFile ann.key -From $ben.PublicKey -WarningAction SilentlyContinue
        $got.Files | Should -Be 0
        Test-Path "$in/others/file1.txt" | Should -BeFalse
    }

    It 'go with a key that all share, and with a passphrase' {
        (Send-TransferBatch many shared -To ann -KeyFile team.key).Files | Should -Be 41
        (Receive-TransferBatch shared "$in/shared" -As ann -KeyFile team.key).Files | Should -Be 41
        (Send-TransferBatch many phrase -To ann -Passphrase $secret -Include *.txt -Exclude file3*).Files | Should -Be 30
        (Receive-TransferBatch phrase "$in/phrase" -As ann -Passphrase $secret).Files | Should -Be 30
        (Send-TransferBatch many locked -To ann=ann.pub -KeyFile locked.key -Passphrase $secret).Files | Should -Be 41
    }

    It 'write an object for each item, where it is asked for' {
        $items = Send-TransferBatch many items -To ann=ann.pub -KeyFile me.key -PassThru | Where-Object Type -eq File
        $items | Should -HaveCount 41
        $items.Path | Should -Contain file7.txt
        $got = Receive-TransferBatch items "$in/items" -As ann -KeyFile ann.key -From $me.PublicKey -PassThru | Where-Object Type -eq File
        $got | Should -HaveCount 41
    }

    It 'leave files that exist, with an error for each, and replace them where they may' {
        New-Item "$in/exists" -ItemType Directory | Out-Null
        Set-Content "$in/exists/file1.txt" mine
        $send = @{ Path = 'many'; Destination = 'exists'; KeyFile = 'me.key'; To = 'ann=ann.pub' }
        $take = @{ Path = 'exists'; Destination = "$in/exists"; As = 'ann'; KeyFile = 'ann.key'; From = $me.PublicKey }
        Send-TransferBatch @send -Deadline 1:00:00 -NoCompression -ArchiveSize 64KB -Sessions 2 -StateFolder $local/own-state -Links Skip | Out-Null
        $errors = Get-Errors { Receive-TransferBatch @take -Durability None -Sessions 2 -StateFolder $local/own-state }
        $errors | Should -HaveCount 2 -Because 'the batch is not confirmed either'
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Exists,*'
        $errors[0].TargetObject | Should -Be file1.txt
        Get-Content "$in/exists/file1.txt" | Should -Be mine
        Get-Content "$in/exists/file2.txt" | Should -Be 'content 2'
        Send-TransferBatch @send -Deadline ([timespan]::Zero) -Delta | Out-Null
        (Receive-TransferBatch @take -Overwrite Always -PreserveMode).Failed | Should -Be 0
        Get-Content "$in/exists/file1.txt" | Should -Be 'content 1'
    }

    It 'refuse what does not fit together' {
        $wrong = ConvertTo-SecureString 'another passphrase' -AsPlainText -Force
        $blocks = @{
            InvalidArgument     = { Send-TransferBatch many x -To ann=ann.pub }, { Send-TransferBatch many x -To ann -KeyFile me.key },
                { Send-TransferBatch many x -To ann=ann.pub -KeyFile team.key }, {
                    Send-TransferBatch many x -To ann=ann.pub -KeyFile me.key -Passphrase $secret },
                { Send-TransferBatch many x -To ann=ann.pub -KeyFile locked.key }, {
                    Send-TransferBatch many x -To ann=p256:short -KeyFile me.key },
                { Send-TransferBatch many x -To ann=ann.pub, ann=ann.pub -KeyFile me.key }, {
                    Receive-TransferBatch x in -As ann -KeyFile ann.key },
                { Receive-TransferBatch x in -As ann -KeyFile team.key -From $me.PublicKey }, {
                    Send-TransferBatch many -Address http://x }, { Send-TransferBatch many -Address transfer://127.0.0.1:1 },
                { Send-TransferBatch many -Address transfer://127.0.0.1:1 -Token $secret }, {
                    Receive-TransferBatch -Listen -Server $server }, { Receive-TransferBatch -Listen -Sessions 2 }
            AuthenticationError = { Send-TransferBatch many x -To ann=ann.pub -KeyFile locked.key -Passphrase $wrong }, {
                Send-TransferBatch many x -To ann=ann.pub -KeyFile ann.pub }
            ObjectNotFound      = { Send-TransferBatch none x -To ann=ann.pub -KeyFile me.key }, {
                Send-TransferBatch many x -To ann=ann.pub -KeyFile none.key }, {
                Send-TransferBatch many x -To ann=none.pub -KeyFile me.key }
        }
        if (-not $IsWindows) { chmod 600 ann.pub }
        foreach ($category in $blocks.Keys) {
            foreach ($block in $blocks[$category]) { (Get-Errors $block)[0].CategoryInfo.Category |
                Should -Be $category -Because "$block" }
        }
        Test-Path "$there/x" | Should -BeFalse
    }

    It 'are not touched by -WhatIf' {
        Send-TransferBatch many planned -To ann=ann.pub -KeyFile me.key -WhatIf
        Test-Path "$there/planned" | Should -BeFalse
        Send-TransferBatch many waiting -To ann=ann.pub -KeyFile me.key | Out-Null
        Receive-TransferBatch waiting "$in/waiting" -As ann -KeyFile ann.key -From $me.PublicKey -WhatIf
        Test-Path "$in/waiting" | Should -BeFalse
    }

    It 'stop at once, and -Resume goes on' {
        $folder = New-Item "$local/thousands-$($server.Name)" -ItemType Directory
        1..3000 | ForEach-Object { [System.IO.File]::WriteAllText("$folder/$_.txt", "content $_ " * 50) }
        $shell = Start-Beside {
            param($server, $folder, $local)
            Set-Location $local
            Send-TransferBatch $folder stopped -To ann=ann.pub -KeyFile me.key -ArchiveSize 64KB -Sessions 1 -Server $server
        } $server $folder.FullName $local
        while (-not (Get-ChildItem "$there/stopped" -File -Recurse -ErrorAction Ignore) -and
            -not $shell.Running.IsCompleted) { Start-Sleep -Milliseconds 10 }
        $shell.Shell.Stop()
        $shell.Shell.InvocationStateInfo.State | Should -BeIn Stopped, Completed
        Send-TransferBatch $folder stopped -To ann=ann.pub -KeyFile me.key -ArchiveSize 64KB -Sessions 1 -Resume | Out-Null
        Receive-TransferBatch stopped "$in/stopped" -As ann -KeyFile ann.key -From $me.PublicKey | Out-Null
        Get-ChildItem "$in/stopped" -File | Should -HaveCount 3000
        Get-ChildItem "$in/stopped" -Force | Where-Object Name -Match '\.part$' | Should -BeNullOrEmpty
    }

    It 'end waiting for a batch when they are stopped, and fetch it else' {
        $take = {
            param($server, $folder, $local, $sender)
            Set-Location $local
            Receive-TransferBatch awaited $folder -As ann -KeyFile ann.key -From $sender -Wait -Server $server
        }
        $shell = Start-Beside $take $server "$in/awaited" $local $me.PublicKey
        Wait-Until { $shell.Shell.InvocationStateInfo.State -eq 'Running' }
        $shell.Shell.Stop()
        $shell.Shell.InvocationStateInfo.State | Should -Be Stopped
        $shell = Start-Beside $take $server "$in/awaited" $local $me.PublicKey
        Send-TransferBatch many awaited -To ann=ann.pub -KeyFile me.key | Out-Null
        $shell.Shell.EndInvoke($shell.Running)
        $shell.Shell.Streams.Error | Should -BeNullOrEmpty
        $shell.Output.Files | Should -Be 41
    }
}

Describe 'A batch straight to a receiver' {
    It 'arrives while the receiver listens, which ends with it' {
        $shell = Start-Listening "$local/straight" -PassThru
        Wait-Until { $shell.Output.Count -gt 0 }
        $address = $shell.Output[0].Address
        $address | Should -Match '^transfer://localhost:\d+#[\w-]+$'
        $shell.Output[0].Destination | Should -Be "$local/straight"
        $sent = Send-TransferBatch many -Address $address -NoDelta
        $sent.Files | Should -Be 41
        $shell.Shell.EndInvoke($shell.Running)
        $shell.Shell.HadErrors | Should -BeFalse
        @($shell.Output | Where-Object Type -eq File) | Should -HaveCount 41
        Get-Content "$local/straight/file7.txt" | Should -Be 'content 7'
        $errors = @(Get-Errors { Send-TransferBatch many -Address $address })
        $errors | Should -HaveCount 1
        $errors[0].CategoryInfo.Category | Should -Be ConnectionError -Because 'the receiver has received its one batch'
    }

    It 'takes the token apart from the address, and refuses another token' {
        $shell = Start-Listening "$local/token"
        Wait-Until { $shell.Output.Count -gt 0 }
        $address, $token = $shell.Output[0].Address -split '#'
        $other = (Get-ListenAddress) -replace '.*#'
        (Get-Errors { Send-TransferBatch many -Address $address -Token (ConvertTo-SecureString $other -AsPlainText -Force) })[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Tls,*'
        (Send-TransferBatch many -Address $address -Token (ConvertTo-SecureString $token -AsPlainText -Force) -PassThru |
            Where-Object Type -eq File) | Should -HaveCount 41
        $shell.Shell.EndInvoke($shell.Running)
        $shell.Output[1].Files | Should -Be 41
    }

    It 'leaves files that exist, and both ends say so' {
        New-Item "$local/taken" -ItemType Directory | Out-Null
        Set-Content "$local/taken/file1.txt" mine
        $shell = Start-Listening "$local/taken"
        Wait-Until { $shell.Output.Count -gt 0 }
        $errors = Get-Errors { Send-TransferBatch many -Address $shell.Output[0].Address }
        $errors | Should -HaveCount 1
        $errors[0].CategoryInfo.Category | Should -Be ResourceExists
        $shell.Shell.EndInvoke($shell.Running)
        $shell.Shell.Streams.Error[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Exists,*'
        $shell.Output[1].Failed | Should -Be 1
        Get-Content "$local/taken/file1.txt" | Should -Be mine
    }

    It 'ends listening when it is stopped' {
        $shell = Start-Listening "$local/unwanted"
        Wait-Until { $shell.Output.Count -gt 0 }
        $port = ([uri] $shell.Output[0].Address).Port
        $shell.Shell.Stop()
        $shell.Shell.InvocationStateInfo.State | Should -Be Stopped
        { [System.Net.Sockets.TcpClient]::new('127.0.0.1', $port) } | Should -Throw
    }

    It 'has the same address again with a folder that keeps it' {
        $addresses = 1..2 | ForEach-Object { Get-ListenAddress "$local/kept" }
        $addresses[0] -replace ':\d+#', '#' | Should -Be ($addresses[1] -replace ':\d+#', '#')
    }
}
