package grammar

func readNumbered(l *line) (Command, bool) { return Command{}, false }
func readChange(l *line) (Command, bool)   { return Command{}, false }
