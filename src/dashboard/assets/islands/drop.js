// A form that uploads a file once it is chosen, or dropped anywhere on the page, and shows how far that is.
for (const form of document.querySelectorAll('form[data-upload]')) {
	const file = form.querySelector('input[type=file]');
	const zone = form.querySelector('[data-drop]');
	const chosen = zone.querySelector('[data-chosen]');
	const before = chosen.textContent;
	const over = (is) => zone.toggleAttribute('data-over', is);
	// Both are needed for a drop (https://html.spec.whatwg.org/multipage/dnd.html#drag-and-drop-processing-model).
	for (const entering of ['dragenter', 'dragover'])
		document.addEventListener(entering, (event) => {
			if (!holdsFile(event)) return;
			event.preventDefault();
			over(true);
		});
	document.addEventListener('dragleave', (event) => {
		// Else it entered another element.
		if (event.relatedTarget === null) over(false);
	});
	document.addEventListener('drop', (event) => {
		over(false);
		if (!holdsFile(event)) return;
		event.preventDefault();
		const { files } = event.dataTransfer;
		if (files.length === 0 || file.disabled) return;
		zone.scrollIntoView({ block: 'nearest' });
		if (files.length > 1) {
			const many = `These are ${files.length} files. A list is one: drop them one after the other.`;
			return refuse(form, file, many);
		}
		file.files = files;
		file.dispatchEvent(new Event('change'));
	});
	file.addEventListener('change', () => {
		const [one] = file.files;
		chosen.textContent = one ? `${one.name}, ${size(one.size)}` : before;
		if (one) send(form, file);
	});
	// A file that the browser remembers from before would lie there, and nothing would come of it.
	forget(file);
	form.addEventListener('submit', (event) => {
		// Without a file, the page of the answer says so.
		if (file.files.length === 0) return;
		event.preventDefault();
		send(form, file);
	});
	// Coming back from the preview, the browser shows this page as it was left.
	addEventListener('pageshow', ({ persisted }) => {
		if (!persisted) return;
		busy(form, file, false);
		forget(file);
	});
}

/** Lets go of the file: only then is choosing it once more, mended perhaps, a change. */
function forget(file) {
	file.value = '';
	file.dispatchEvent(new Event('change'));
}

/** Shows that an upload is under way, or that none is. */
function busy(form, file, is) {
	form.querySelector('[data-upload-progress]').hidden = !is;
	form.querySelector('button:not([type=button])').disabled = is;
	file.disabled = is;
}

function holdsFile(event) {
	return event.dataTransfer?.types.includes('Files');
}

function send(form, file) {
	const panel = form.querySelector('[data-upload-progress]');
	const bar = panel.querySelector('progress');
	const says = panel.querySelector('[data-upload-says]');
	const cancel = panel.querySelector('[data-upload-cancel]');
	const request = new XMLHttpRequest();
	const fields = new FormData(form);
	let spoken = -1;
	const end = (wrong) => {
		busy(form, file, false);
		forget(file);
		if (wrong !== null) refuse(form, file, wrong);
		else file.focus();
	};
	request.upload.addEventListener('progress', ({ loaded, total }) => {
		const percent = Math.floor((loaded / total) * 100);
		bar.value = percent;
		// A screen reader need not hear every percent.
		if (percent - spoken < 10 && percent < 100) return;
		spoken = percent;
		says.textContent = percent < 100 ? `${percent}% uploaded` : 'Reading the file';
	});
	request.addEventListener('load', () => {
		const { location: next, error } = request.response ?? {};
		if (next) location.assign(next);
		else end(error ?? 'The file could not be uploaded. Load this page again and retry.');
	});
	request.addEventListener('error', () => {
		end('The connection was lost. Check it, and choose the file again.');
	});
	request.addEventListener('abort', () => end(null));
	// A listener of an earlier upload does nothing to this one: its request is over.
	cancel.addEventListener('click', () => request.abort(), { once: true });
	refuse(form, file, null);
	busy(form, file, true);
	bar.value = 0;
	says.textContent = 'Uploading';
	// The field that had the focus takes no more files now.
	cancel.focus();
	request.open('POST', form.action);
	request.responseType = 'json';
	request.setRequestHeader('accept', 'application/json');
	request.send(fields);
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
