package bot

// familyPatterns are the lines that a family asked for.
var familyPatterns = []pattern{
	says("ask what was topped up", "", `([^。「」]+)は、何に入れましたか？「Suicaチャージ (\d+)」のように送(?:るか、名前だけを送)?ってください。`, func(h *hearing, m []string) error {
		if err := h.isSaid(m[1]); err != nil {
			return err
		}
		return h.isSaid(m[2])
	}),
	says("no category for a budget", "", `「(.*)」というカテゴリはありません。「カテゴリ 追加 (.*)」と送ってから、もう一度送ってください。何も変えていません。`, func(h *hearing, m []string) error {
		if m[1] != m[2] {
			return wrong(true, "the two names differ")
		}
		return h.noSuchCategory(m[:2])
	}),
}
