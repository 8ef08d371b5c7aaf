// A link with data-dialog leads to a page with the question; this script opens the dialog instead.
for (const link of document.querySelectorAll('a[data-dialog]')) {
	const dialog = document.getElementById(link.dataset.dialog);
	link.setAttribute('aria-haspopup', 'dialog');
	link.addEventListener('click', (event) => {
		if (event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		dialog.showModal();
	});
	for (const close of dialog.querySelectorAll('[data-close]')) {
		close.addEventListener('click', (event) => {
			event.preventDefault();
			dialog.close();
		});
	}
	dialog.addEventListener('click', (event) => {
		if (event.target === dialog) dialog.close();
	});
}
