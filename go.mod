module ichido

go 1.26.0
