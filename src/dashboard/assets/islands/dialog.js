// A link with data-dialog leads to a page with the question; this script opens the dialog instead.
const tell = () => {
	for (const link of document.querySelectorAll('a[data-dialog]'))
		link.setAttribute('aria-haspopup', 'dialog');
};
tell();
document.addEventListener('renewed', tell);

addEventListener('click', (event) => {
	const { target } = event;
	const link = target.closest('a[data-dialog]');
	if (link !== null) {
		if (event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		document.getElementById(link.dataset.dialog).showModal();
	} else if (target.closest('dialog [data-close]') !== null) {
		event.preventDefault();
		target.closest('dialog').close();
	} else if (target.matches('dialog') && isBeside(event, target.getBoundingClientRect())) {
		target.close();
	}
});

/** Whether a click went beside the box: what lies behind a dialog belongs to it. */
function isBeside({ clientX: x, clientY: y }, { left, right, top, bottom }) {
	return x < left || x > right || y < top || y > bottom;
}
