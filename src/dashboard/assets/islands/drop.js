// A file field that accepts dropped files and shows the chosen one.
for (const zone of document.querySelectorAll('[data-drop]')) {
	const input = zone.querySelector('input[type=file]');
	const chosen = zone.querySelector('[data-chosen]');
	const before = chosen.textContent;
	const tell = () => {
		const file = input.files[0];
		zone.toggleAttribute('data-filled', Boolean(file));
		chosen.textContent = file ? `${file.name}, ${size(file.size)}` : before;
	};
	input.addEventListener('change', tell);
	for (const name of ['dragenter', 'dragover']) {
		zone.addEventListener(name, (event) => {
			event.preventDefault();
			zone.setAttribute('data-over', '');
		});
	}
	for (const name of ['dragleave', 'drop']) {
		zone.addEventListener(name, () => zone.removeAttribute('data-over'));
	}
	zone.addEventListener('drop', (event) => {
		event.preventDefault();
		if (event.dataTransfer.files.length === 0) return;
		input.files = event.dataTransfer.files;
		tell();
	});
	tell();
}

/** @param {number} bytes */
function size(bytes) {
	if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} KB`;
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
