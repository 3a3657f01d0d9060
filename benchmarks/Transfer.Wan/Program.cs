Console.Error.WriteLine("usage: Transfer.Wan REPORT [--quick]");
return 2;
