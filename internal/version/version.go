// Package version says which version of the program this is.
package version

import "runtime/debug"

// String is the version of the module, as v0.1.0; of one that was built without, the
// commit if it is known: development 0123abc (changed).
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return Of(info)
}

// Of is String for other facts about a build.
func Of(info *debug.BuildInfo) string {
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
