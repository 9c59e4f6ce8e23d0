package exchange

import (
	"bufio"
	"encoding/json"
	"io"
)

// writeJSONL writes one object a line, with the same fields in the same order
// each time. It loses nothing.
func writeJSONL(w io.Writer, rows Rows) error {
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := encoder.Encode(row); err != nil {
			return err
		}
	}
	return out.Flush()
}
