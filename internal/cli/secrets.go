package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
)

// The names of the secrets. None has a flag: a command line is no secret.
const (
	nameSecret    = "LINE_CHANNEL_SECRET"
	nameChannelID = "LINE_CHANNEL_ID" // no secret, but kept beside them
	nameToken     = "LINE_CHANNEL_ACCESS_TOKEN"
)

var (
	// errReadingSecret comes before the name of a secret and what is wrong with it.
	errReadingSecret = errors.New("reading the secret")
	// errNoSecret says that a secret is missing or empty.
	errNoSecret = errors.New("it is missing or empty")
	// errNoWord says that there is more in the place of a secret than one.
	errNoWord = errors.New("it is not one word of ASCII letters, digits and signs")
	// errNoNumber says that there is something else in the place of the channel ID.
	errNoNumber = errors.New("a channel ID is a number")
	// errNoTokens says that LINE's API can't be called.
	errNoTokens = errors.New("neither " + nameChannelID + " nor " + nameToken + " is given")
)

// lineSecrets is what the program and LINE know of each other. One of token and
// channelID is "": either the token is a long-lived one, or tokens are issued.
type lineSecrets struct {
	channel   string // the channel secret
	token     string
	channelID string
}

// readLineSecrets reads them from wherever they are. A channel ID is used rather
// than a token, so that a token may stay until the channel ID has proved good.
func readLineSecrets(log *slog.Logger) (s lineSecrets, err error) {
	if s.channel, err = readSecret(nameSecret); err != nil {
		return s, err
	}
	if s.channel == "" {
		return s, fmt.Errorf("%w %s: %w", errReadingSecret, nameSecret, errNoSecret)
	}
	if s.channelID, err = readSecret(nameChannelID); err != nil {
		return s, err
	}
	if strings.Trim(s.channelID, "0123456789") != "" {
		return s, fmt.Errorf("%w %s: %w", errReadingSecret, nameChannelID, errNoNumber)
	}
	if s.token, err = readSecret(nameToken); err != nil {
		return s, err
	}
	switch {
	case s.channelID == "" && s.token == "":
		return s, errNoTokens
	case s.channelID != "" && s.token != "":
		log.Warn(nameToken + " is not used, as " + nameChannelID + " is given: it can be removed")
		s.token = ""
	}
	return s, nil
}

// readSecret reads a secret from the environment or else from the file that
// NAME_FILE names, or else from systemd's credential of that name. "" is none.
func readSecret(name string) (string, error) {
	secret := os.Getenv(name)
	if path := secretFile(name); secret == "" && path != "" {
		content, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("%w %s: %w", errReadingSecret, name, err)
		}
		secret = string(content)
	}
	secret = strings.TrimSpace(secret)
	if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\'' }) {
		return "", fmt.Errorf("%w %s: %w", errReadingSecret, name, errNoWord)
	}
	return secret, nil
}

// secretFile is the file that holds a secret; "" is none.
func secretFile(name string) string {
	if path := os.Getenv(name + "_FILE"); path != "" {
		return path
	}
	dir := os.Getenv("CREDENTIALS_DIRECTORY") // systemd.exec(5)
	if dir == "" {
		return ""
	}
	credential := filepath.Join(dir, name)
	if _, err := os.Stat(credential); errors.Is(err, os.ErrNotExist) {
		return ""
	}
	return credential
}
