BeforeDiscovery { $protocols = 'Ftp', 'Sftp' }
BeforeAll { . $PSScriptRoot/Common.ps1 }

Describe 'Entries over <_>' -ForEach $protocols {
    BeforeAll {
        $server = & "Connect-$_" -Name $_
        $folder = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value
        New-Item "$folder/list/sub" -ItemType Directory -Force | Out-Null
        'one', 'two' | ForEach-Object { Set-Content "$folder/list/$_.txt" $_ -NoNewline }
        Set-Content -LiteralPath "$folder/list/with [1] and `$.csv" odd -NoNewline
        Set-Content "$folder/list/sub/below.txt" below
    }
    AfterAll { Disconnect-TransferServer $server }

    It 'lists a folder, with the members that scripts know' {
        $entries = Get-TransferEntry list
        $entries.Name | Sort-Object | Should -Be 'one.txt', 'sub', 'two.txt', 'with [1] and $.csv'
        $one = $entries | Where-Object Name -eq one.txt
        $one.FullName | Should -Be '/list/one.txt'
        $one.Length | Should -Be 3
        $one.PSIsContainer | Should -BeFalse
        $one.Extension | Should -Be .txt
        $one.BaseName | Should -Be one
        $one.Directory | Should -Be /list
        ((Get-Date) - $one.LastWriteTime).TotalHours | Should -BeLessThan 1
        ($entries | Where-Object PSIsContainer).Name | Should -Be sub
    }

    It 'formats entries as Get-ChildItem does' {
        $text = Get-TransferEntry list | Out-String
        $text | Should -Match 'Directory: /list'
        $text | Should -Match 'Mode +LastWriteTime +Length +Name'
        $text = Get-TransferEntry list -Recurse | Out-String
        [regex]::Matches($text, 'Directory: (\S+)').ForEach{ $_.Groups[1].Value } | Sort-Object | Should -Be /list, /list/sub
        $text | Should -Match '(?m)^-[-rwx]* +\S+ \S+ +\d+ below\.txt'
    }

    It 'finds by patterns, and takes literal paths as they are' {
        (Get-TransferEntry list/*.txt).Name | Sort-Object | Should -Be 'one.txt', 'two.txt'
        (Get-TransferEntry l*/o*).Name | Should -Be one.txt
        (Get-TransferEntry -LiteralPath 'list/with [1] and $.csv').Length | Should -Be 3
        (Get-TransferEntry 'list/with `[1`] and $.csv').Length | Should -Be 3
        Get-TransferEntry list/*.none | Should -BeNullOrEmpty
        (Get-Errors { Get-TransferEntry list/none.txt })[0].CategoryInfo.Category | Should -Be ObjectNotFound
    }

    It 'filters by kind and by name, and goes below' {
        (Get-TransferEntry list -File -Include *.txt -Exclude t*).Name | Should -Be one.txt
        (Get-TransferEntry list -Directory).Name | Should -Be sub
        (Get-TransferEntry list -Recurse -Filter below*).FullName | Should -Be /list/sub/below.txt
    }

    It 'ends a listing where no more is wanted' {
        (Get-TransferEntry list -Recurse | Select-Object -First 1) | Should -HaveCount 1
        Get-TransferEntry list | Should -HaveCount 4
    }

    It 'tells what is there' {
        Test-TransferPath list | Should -BeTrue
        Test-TransferPath list -PathType Leaf | Should -BeFalse
        Test-TransferPath list/one.txt -PathType Leaf | Should -BeTrue
        Test-TransferPath list/none | Should -BeFalse
        Test-TransferPath list/*.txt | Should -BeTrue
    }

    It 'finds the matches of other folders where one may not be read, and says so' {
        if ($server.Uri.Scheme -eq 'sftp') { return }
        'a', 'b', 'c' | ForEach-Object { $null = New-Item "$folder/unread/$_" -ItemType Directory; Set-Content "$folder/unread/$_/$_.csv" $_ }
        $errors = Get-Errors { $script:found = Get-TransferEntry unread/*/*.csv }
        $script:found.Name | Sort-Object | Should -Be a.csv, c.csv
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Partial,*'
        Get-Errors { $script:received = Receive-TransferFile unread/*/*.csv "$local/unread/" } | Should -HaveCount 1
        $script:received.Files | Should -Be 2
        Test-TransferPath unread/*/c* | Should -BeTrue
        foreach ($pattern in 'unread/*/b.c*', 'unread/b/*') {
            $errors = Get-Errors { $script:answer = Test-TransferPath $pattern }
            $script:answer | Should -BeNullOrEmpty
            $errors | Should -HaveCount 1
        }
        Test-TransferPath unread/none/* | Should -BeFalse
        Get-Errors { Remove-TransferEntry unread/*/*.csv } | Should -HaveCount 1
        (Get-ChildItem "$folder/unread" -Recurse -File).Name | Should -Be b.csv
    }

    It 'works on the other matches where a name is one that no request can have' {
        if ($server.Uri.Scheme -ne 'sftp') { return }
        $null = New-Item "$folder/lines/ok", "$folder/lines/a`nb" -ItemType Directory
        "ok/x", "a`nb/y", "c`nd", 'e' | ForEach-Object { [System.IO.File]::WriteAllText("$folder/lines/$_", 'x') }
        (Get-TransferEntry lines/* -File).Name | Sort-Object | Should -Be "c`nd", 'e'
        $errors = Get-Errors { $script:found = Get-TransferEntry lines/*/* }
        $script:found.Name | Should -Be x
        $errors | Should -HaveCount 1
        $errors = Get-Errors { $script:received = Get-TransferEntry lines -File | Receive-TransferFile -Destination "$local/lines/" }
        $script:received.Files | Should -Be 1
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Unsupported,*'
        Get-Errors { Remove-TransferEntry lines/* -Recurse -Confirm:$false } | Should -HaveCount 2
        (Get-ChildItem "$folder/lines").Name | Sort-Object | Should -Be "a`nb", "c`nd"
    }

    It 'makes an error of one item of a name that no request can have, wherever the name comes from' {
        $in = (New-Item "$local/newline-$($server.Name)" -ItemType Directory).FullName
        'f1', "b`nx", 'f2' | ForEach-Object { [System.IO.File]::WriteAllText("$in/$_", 'x') }
        $errors = Get-Errors { $script:sent = Get-ChildItem $in | Send-TransferFile -Destination newline/ }
        $errors.TargetObject | Should -Be "$in/b`nx"
        $errors.FullyQualifiedErrorId | Should -BeLike 'Transfer.Unsupported,*'
        $script:sent.Files, $script:sent.Failed | Should -Be 2, 1
        $names = 'newline/f1', "newline/b`nx", 'newline/f2'
        foreach ($block in { $names | Receive-TransferFile -Destination "$in/got/" | ForEach-Object Files | Should -Be 2 },
            { $names | Copy-TransferFile -Destination newline/copied/ | ForEach-Object Files | Should -Be 2 },
            { $names | Get-TransferEntry | Should -HaveCount 2 }, { $names | Get-TransferContent | Should -HaveCount 2 },
            { $names | Get-TransferFileHash | Should -HaveCount 2 }, { $names | Test-TransferPath | Should -Be $true, $true },
            { $names | Set-TransferEntry -LastWriteTime 2020-02-03 },
            { 'newline/g1', "newline/b`nx", 'newline/g2' | New-TransferFolder | Should -HaveCount 2 },
            { 'newline/g1', "newline/b`nx", 'newline/g2' | Move-TransferEntry -Destination newline/moved/ },
            { $names | Remove-TransferEntry }) {
            $errors = Get-Errors $block
            $errors.TargetObject | Should -Be "newline/b`nx" -Because "$block"
        }
        (Get-ChildItem "$folder/newline").Name | Sort-Object | Should -Be copied, moved
        (Get-ChildItem "$folder/newline/moved").Name | Sort-Object | Should -Be g1, g2
        $errors = Get-Errors { "newline/b`nx/*", 'newline/m*' | Get-TransferEntry | ForEach-Object Name | Should -Be moved }
        $errors.TargetObject | Should -Be "newline/b`nx/*"
    }

    It 'makes, moves and deletes' {
        (New-TransferFolder work/a/b).FullName | Should -Be /work/a/b
        'x' | Set-TransferContent work/x.txt
        Move-TransferEntry work/x.txt work/a/
        'y' | Set-TransferContent work/y.txt
        (Get-Errors { Move-TransferEntry work/y.txt work/a/x.txt })[0].CategoryInfo.Category | Should -Be ResourceExists
        Get-TransferContent work/a/x.txt | Should -Be x
        Move-TransferEntry work/y.txt work/a/x.txt -Force
        Get-TransferContent work/a/x.txt | Should -Be y
        (Get-Errors { Remove-TransferEntry work })[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Denied,*'
        Remove-TransferEntry work -Recurse -Confirm:$false
        Test-TransferPath work | Should -BeFalse
    }

    It 'moves no entry where several would have one name, by <_>' -ForEach 'pattern', 'pipeline', 'names' {
        $null = New-Item "$folder/several/in" -ItemType Directory -Force
        1..3 | ForEach-Object { Set-Content "$folder/several/in/$_.csv" $_ }
        $errors = Get-Errors {
            switch ($_) {
                pattern { Move-TransferEntry several/in/*.csv several/archive -Force }
                pipeline { Get-TransferEntry several/in | Move-TransferEntry -Destination several/archive -Force }
                names { 'several/in/1.csv', 'several/in/2.csv', 'several/in/3.csv' |
                    Move-TransferEntry -Destination several/archive -Force }
            }
        }
        $errors | Should -HaveCount 3
        $errors.FullyQualifiedErrorId | Should -BeLike 'Transfer.Exists,*'
        $errors.TargetObject.Path | Sort-Object | Should -Be '/several/in/1.csv', '/several/in/2.csv', '/several/in/3.csv'
        $errors[0].Exception.Message | Should -Match 'end it with /'
        (Get-ChildItem "$folder/several" -Recurse).Name | Sort-Object | Should -Be '1.csv', '2.csv', '3.csv', 'in'
    }

    It 'moves into a folder that it makes, and nothing over another of its entries' {
        $null = New-Item "$folder/into/a", "$folder/into/b" -ItemType Directory
        'a', 'b' | ForEach-Object { Set-Content "$folder/into/$_/same.txt" $_; Set-Content "$folder/into/$_/$_.txt" $_ }
        Move-TransferEntry into/a/a.txt into/made/below/ -WhatIf
        Test-Path "$folder/into/made" | Should -BeFalse
        $errors = Get-Errors { Get-TransferEntry into -Recurse -File | Move-TransferEntry -Destination into/made/below/ -Force }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Exists,*'
        (Get-ChildItem "$folder/into/made/below").Name | Sort-Object | Should -Be a.txt, b.txt, same.txt
        (Get-ChildItem "$folder/into/a", "$folder/into/b").Name | Should -Be same.txt
    }

    It 'deletes what a pipeline gives it, and no more' {
        New-TransferFolder trash | Out-Null
        1..3 | ForEach-Object { 'x' | Set-TransferContent "trash/$_.tmp" }
        'x' | Set-TransferContent trash/keep.txt
        Get-TransferEntry trash -Filter *.tmp | Remove-TransferEntry
        (Get-TransferEntry trash).Name | Should -Be keep.txt
    }

    It 'sets times and permissions' {
        'x' | Set-TransferContent set.txt
        $time = [datetimeoffset] '2020-02-03T04:05:06Z'
        Set-TransferEntry set.txt -LastWriteTime $time -Mode u=rw,go=
        $entry = Get-TransferEntry set.txt
        $entry.Modified | Should -Be $time
        '{0:o}' -f $entry.LastWriteTime | Should -Be ('{0:o}' -f $time.LocalDateTime)
        [int] $entry.Mode | Should -Be 384
        (Get-Errors { Set-TransferEntry set.txt })[0].CategoryInfo.Category | Should -Be InvalidArgument
    }

    It 'does not take an empty path for the whole folder: <Text>' -ForEach @(
        @{ Name = 'Path'; Block = { Remove-TransferEntry "$nothing" -Recurse -Force } }
        @{ Name = 'Path'; Block = { Remove-TransferEntry $nothing -Recurse -Force } }
        @{ Name = 'LiteralPath'; Block = { Remove-TransferEntry -LiteralPath "$nothing" -Recurse -Force } }
        @{ Name = 'Path'; Block = { Set-TransferEntry "$nothing" -Mode 000 -Recurse } }
        @{ Name = 'Path'; Block = { Move-TransferEntry "$nothing" moved } }
        @{ Name = 'Destination'; Block = { Move-TransferEntry list $nothing } }
        @{ Name = 'Destination'; Block = { Sync-TransferFolder $local "$nothing" -Direction Up -Delete -Confirm:$false } }
        @{ Name = 'Destination'; Block = { Sync-TransferFolder $local $nothing -Direction Up -Delete -Confirm:$false } }
        @{ Name = 'Path'; Block = { Sync-TransferFolder "$nothing" list -Direction Up -Delete -Confirm:$false } }
        @{ Name = 'Destination'; Block = { Compare-TransferFolder $local $nothing } }
        @{ Name = 'Destination'; Block = { Watch-TransferFolder $local $nothing -Direction Up } }
        @{ Name = 'Destination'; Block = { Send-TransferFile $local $nothing } }
        @{ Name = 'Destination'; Block = { Receive-TransferFile list $nothing } }
        @{ Name = 'Path'; Block = { Receive-TransferFile "$nothing" $local } }
        @{ Name = 'Path'; Block = { Copy-TransferFile "$nothing" copy } }
        @{ Name = 'Destination'; Block = { Copy-TransferFile list $nothing } }
        @{ Name = 'ToServer'; Block = { Copy-TransferFile list copied/ -ToServer $nothing } }
        @{ Name = 'Path'; Block = { Get-TransferEntry $nothing } }
        @{ Name = 'Path'; Block = { Get-TransferEntry 'list', '' } }
        @{ Name = 'Path'; Block = { Test-TransferPath "$nothing" } }
        @{ Name = 'Path'; Block = { Get-TransferContent $nothing } }
        @{ Name = 'Path'; Block = { Get-TransferFileHash $nothing } }
        @{ Name = 'Path'; Block = { New-TransferFolder $nothing } }
        @{ Name = 'Path'; Block = { 'x' | Set-TransferContent $nothing } }
        @{ Name = 'Exclude'; Block = { Send-TransferFile $local sent/ -Exclude $nothing } }
        @{ Name = 'Pin'; Block = { Connect-TransferServer $env:TRANSFER_FTP -Credential $credential -Pin $nothing } }
        @{ Name = 'Server'; Block = { Disconnect-TransferServer $nothing } }
    ).ForEach({ $_.Text = "$($_.Block)".Trim(); $_ }) {
        $nothing = $null
        $before = (Get-ChildItem $folder -Recurse).FullName
        $errors = Get-Errors $Block
        $errors | Should -HaveCount 1
        $errors[0].Exception | Should -BeOfType ([System.Management.Automation.ParameterBindingException])
        $errors[0].Exception.Message | Should -Match "'$Name'"
        (Get-ChildItem $folder -Recurse).FullName | Should -Be $before
        Test-TransferServer -Quiet | Should -BeTrue
    }

    It 'deletes neither the folder that paths start from nor the root: <_>' -ForEach '/', '.', './', '..', 'list/..', '/./', '/~' {
        $before = (Get-ChildItem $folder -Recurse).FullName
        $errors = Get-Errors { Remove-TransferEntry $_ -Recurse -Force }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Denied,*'
        $errors[0].Exception.Message | Should -Match 'is not deleted'
        (Get-ChildItem $folder -Recurse).FullName | Should -Be $before
    }

    It 'takes many names of a pipeline, each of which is one entry or one error' {
        $null = New-Item "$folder/names" -ItemType Directory
        1..600 | ForEach-Object { [System.IO.File]::WriteAllText("$folder/names/$_.txt", "$_") }
        $names = 1..600 | ForEach-Object { "names/$_.txt"; if ($_ % 200 -eq 0) { "names/none$_.txt" } }
        $errors = Get-Errors { $script:received = $names | Receive-TransferFile -Destination "$local/names-$($server.Name)/" }
        $errors.TargetObject | Should -Be names/none200.txt, names/none400.txt, names/none600.txt
        $script:received.Files | Should -Be 600
        Get-Content "$local/names-$($server.Name)/321.txt" | Should -Be 321
        $errors = Get-Errors { $names | Remove-TransferEntry }
        $errors.TargetObject | Should -Be names/none200.txt, names/none400.txt, names/none600.txt
        Get-ChildItem "$folder/names" | Should -BeNullOrEmpty
    }

    It 'completes paths from the server' {
        $line = "Get-TransferEntry list/o"
        $found = [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches
        $found.CompletionText | Should -Be list/one.txt
        $line = "Get-TransferEntry -LiteralPath 'list/with"
        [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches.CompletionText | Should -Be "'list/with [1] and `$.csv'"
        # Those that begin so, of a folder with more entries than are offered.
        $null = New-Item "$folder/crowd" -ItemType Directory
        1..3000 | ForEach-Object { [System.IO.File]::Create("$folder/crowd/a$_").Dispose() }
        1..5 | ForEach-Object { [System.IO.File]::Create("$folder/crowd/z$_").Dispose() }
        foreach ($line in 'Get-TransferEntry crowd/', 'Get-TransferEntry crowd/z', 'Get-TransferEntry crowd/z3') {
            $found = [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches
            $found.Count | Should -Be ($line -match 'z3' ? 1 : $line -match 'z' ? 5 : 1000)
        }
        $line = 'Get-TransferEntry -Server '
        [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches.CompletionText | Should -Contain $server.Name
    }

    It 'does not delete the folder that paths start from by its name' {
        $name = "TRANSFER_$($server.Name.ToUpperInvariant())"
        $uri = [uribuilder] (Get-Item "env:$name").Value
        $uri.Path = 'list'
        $pin = (Get-Item "env:${name}_PIN").Value
        $inner = Connect-TransferServer $uri.Uri -Credential $credential -Pin $pin -Name inner
        try {
            $errors = Get-Errors { Remove-TransferEntry /list, /list/ -Recurse -Force -Server $inner }
            $errors.FullyQualifiedErrorId | Should -BeLike 'Transfer.Denied,*'
            $errors | Should -HaveCount 2
            Get-ChildItem "$folder/list" | Should -HaveCount 4
        } finally { Disconnect-TransferServer $inner }
    }
}
