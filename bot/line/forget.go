package line

// ForgetParked lets no try of the event happen any more that is planned: people
// have dropped it.
func (d *Door) ForgetParked(key string) {
	d.parked.mu.Lock()
	defer d.parked.mu.Unlock()
	delete(d.parked.due, key)
}
