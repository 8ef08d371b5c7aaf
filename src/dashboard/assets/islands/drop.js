// A file field that takes a file dropped anywhere on the page, and a form that shows how far its upload is.
for (const zone of document.querySelectorAll('[data-drop]')) {
	const input = zone.querySelector('input[type=file]');
	const chosen = zone.querySelector('[data-chosen]');
	const before = chosen.textContent;
	const tell = () => {
		const file = input.files[0];
		zone.toggleAttribute('data-filled', Boolean(file));
		chosen.textContent = file ? `${file.name}, ${size(file.size)}` : before;
	};
	// Entering a child comes before leaving its parent, so both are counted.
	let inside = 0;
	const over = (more) => {
		inside = Math.max(0, inside + more);
		zone.toggleAttribute('data-over', inside > 0);
	};
	document.addEventListener('dragenter', (event) => {
		if (!holdsFile(event)) return;
		event.preventDefault();
		over(1);
	});
	document.addEventListener('dragover', (event) => {
		if (holdsFile(event)) event.preventDefault();
	});
	document.addEventListener('dragleave', (event) => {
		if (holdsFile(event)) over(-1);
	});
	document.addEventListener('drop', (event) => {
		over(-inside);
		if (!holdsFile(event)) return;
		event.preventDefault();
		if (event.dataTransfer.files.length === 0 || input.disabled) return;
		input.files = event.dataTransfer.files;
		tell();
		zone.scrollIntoView({ block: 'nearest' });
		input.form.querySelector('button:not([type=button])').focus();
	});
	input.addEventListener('change', tell);
	tell();
}

for (const form of document.querySelectorAll('form[data-upload]')) {
	form.addEventListener('submit', (event) => {
		const file = form.querySelector('input[type=file]');
		// Without a file, the page of the answer says so.
		if (file.files.length === 0) return;
		event.preventDefault();
		send(form, file);
	});
}

function holdsFile(event) {
	return event.dataTransfer?.types.includes('Files');
}

function send(form, file) {
	const panel = form.querySelector('[data-upload-progress]');
	const bar = panel.querySelector('progress');
	const says = panel.querySelector('[data-upload-says]');
	const button = form.querySelector('button:not([type=button])');
	const request = new XMLHttpRequest();
	const fields = new FormData(form);
	const busy = (is) => {
		panel.hidden = !is;
		button.disabled = is;
		file.disabled = is;
		delete form.dataset.sent;
		button.removeAttribute('aria-busy');
	};
	let spoken = -1;
	request.upload.addEventListener('progress', ({ loaded, total }) => {
		const percent = Math.floor((loaded / total) * 100);
		bar.value = percent;
		// A screen reader need not hear every percent.
		if (percent - spoken < 10 && percent < 100) return;
		spoken = percent;
		says.textContent = percent < 100 ? `${percent}% uploaded` : 'Reading the file';
	});
	request.addEventListener('load', () => {
		const { location: next, error } = answerOf(request);
		if (next) {
			location.assign(next);
			return;
		}
		busy(false);
		refuse(form, file, error ?? 'The file could not be uploaded. Load this page again and retry.');
	});
	request.addEventListener('error', () => {
		busy(false);
		refuse(form, file, 'The connection was lost. Check it, and upload the file again.');
	});
	request.addEventListener('abort', () => {
		busy(false);
		button.focus();
	});
	const cancel = panel.querySelector('[data-upload-cancel]');
	// What an earlier upload left here does nothing to this one: its request is over.
	cancel.addEventListener('click', () => request.abort(), { once: true });
	refuse(form, file, null);
	busy(true);
	says.textContent = 'Uploading';
	request.open('POST', form.action);
	request.setRequestHeader('accept', 'application/json');
	request.send(fields);
}

/** What the server said: where to go on, or what is wrong. */
function answerOf(request) {
	try {
		return JSON.parse(request.responseText);
	} catch {
		return {};
	}
}

/** Says beside the field what is wrong; null: nothing. */
function refuse(form, file, text) {
	const id = `${file.id}-wrong`;
	form.querySelector(`#${id}`)?.remove();
	file.toggleAttribute('aria-invalid', text !== null);
	if (text === null) return;
	const wrong = document.createElement('p');
	wrong.id = id;
	wrong.className = 'wrong';
	wrong.role = 'alert';
	wrong.textContent = text;
	file.setAttribute('aria-invalid', 'true');
	file.setAttribute('aria-describedby', `${id} ${file.id}-hint`);
	form.querySelector('[data-drop]').after(wrong);
	file.focus();
}

/** @param {number} bytes */
function size(bytes) {
	if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} KB`;
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
