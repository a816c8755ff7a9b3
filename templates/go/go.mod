module boxyard.local/app

go 1.19
