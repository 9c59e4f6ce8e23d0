package cli

import (
	"fmt"
	"runtime/debug"
)

type versionCmd struct{}

// Run shows what this program was built from.
func (c *versionCmd) Run(p *program) error {
	version, goVersion := "unknown", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version, goVersion = versionOf(info), info.GoVersion
	}
	fmt.Fprintf(p.stdout, "ichido %s, %s\n", version, goVersion)
	return nil
}

// versionOf adds the commit where the version does not name it.
func versionOf(info *debug.BuildInfo) string {
	version := info.Main.Version
	if version != "" && version != "(devel)" {
		return version
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	version = "development"
	if revision := settings["vcs.revision"]; revision != "" {
		version += " " + revision
	}
	if settings["vcs.modified"] == "true" {
		version += " (changed)"
	}
	return version
}
