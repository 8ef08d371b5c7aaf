// A second click does not send a form again. The server also ensures this.
addEventListener('submit', (event) => {
	const form = event.target;
	if (event.defaultPrevented || form.method !== 'post') return;
	if (form.dataset.sent) {
		event.preventDefault();
		return;
	}
	form.dataset.sent = 'true';
	event.submitter?.setAttribute('aria-busy', 'true');
});
// Coming back from the next page, the browser shows this one as it was left.
addEventListener('pageshow', () => {
	for (const form of document.querySelectorAll('form[data-sent]')) {
		delete form.dataset.sent;
		form.querySelector('[aria-busy]')?.removeAttribute('aria-busy');
	}
});
