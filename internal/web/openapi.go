package web

import (
	_ "embed"
	"net/http"
)

//go:embed openapi.json
var openAPI []byte

// openAPI serves the description of the API (OpenAPI 3.1).
func (v *visit) openAPI() error {
	v.w.Header().Set("Content-Type", "application/json")
	v.w.WriteHeader(http.StatusOK)
	_, _ = v.w.Write(openAPI) // who is gone can't be told
	return nil
}
