// A form that is on its way is not sent again by a second click. The server makes sure of it too.
for (const form of document.querySelectorAll('form[method=post]')) {
	form.addEventListener('submit', (event) => {
		if (event.defaultPrevented) return;
		if (form.dataset.sent) {
			event.preventDefault();
			return;
		}
		form.dataset.sent = 'true';
		event.submitter?.setAttribute('aria-busy', 'true');
	});
}
// Back from the next page: the browser shows this one as it was left.
addEventListener('pageshow', () => {
	for (const form of document.querySelectorAll('form[data-sent]')) {
		delete form.dataset.sent;
		form.querySelector('[aria-busy]')?.removeAttribute('aria-busy');
	}
});
