// Mailsonar for forms, 1.0.0. MIT License. How to use it: /docs/guides/sign-up
(() => {
	const script = document.currentScript ?? document.querySelector('script[data-key^="ms_pub_"]');
	if (!script || window.mailsonarWidget) return;
	window.mailsonarWidget = '1.0.0';
	const { key, token, patience } = script.dataset;
	const url = new URL('/v1/public/verify', script.src);
	const WORDS = {
		suggestion: 'Did you mean {}?',
		domain_does_not_exist: 'This domain does not exist.',
		domain_takes_no_mail: 'This domain takes no mail.',
		disposable: 'Please use an address that you keep.',
	};
	const word = (name) => script.dataset[name] ?? WORDS[name];

	// Zero specificity: any rule of the page is stronger.
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(`:where(.mailsonar){display:block;font-size:var(--mailsonar-size,.875em);color:var(--mailsonar-color,inherit)}
:where(.mailsonar button){font:inherit;color:var(--mailsonar-link,inherit);background:none;border:0;padding:.25em 0;min-height:24px;text-decoration:underline;cursor:pointer}`);
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

	const states = new WeakMap();
	const answers = new Map();
	let count = 0;
	let refused = false;
	let pressed = false;

	// An answer shown between press and release would move a button away under the pointer.
	const released = () =>
		pressed && new Promise((resolve) => addEventListener('mailsonar:released', resolve, { once: true }));
	addEventListener('pointerdown', () => (pressed = true), true);
	for (const name of ['pointerup', 'pointercancel'])
		addEventListener(
			name,
			() =>
				setTimeout(() => {
					pressed = false;
					dispatchEvent(new Event('mailsonar:released'));
				}),
			true,
		);

	function fieldOf(event) {
		const [field] = event.composedPath();
		if (!(field instanceof HTMLInputElement) || field.multiple) return null;
		const own = field.dataset.mailsonar;
		return own !== 'off' && (own !== undefined || field.type === 'email') ? field : null;
	}

	/** The state of a field, with a live region that stands before it is spoken. */
	function stateOf(field) {
		const state = states.get(field) ?? { hint: document.createElement('span') };
		states.set(field, state);
		const { hint } = state;
		if (!hint.isConnected) {
			hint.className = 'mailsonar';
			hint.part = 'mailsonar';
			hint.id ||= `mailsonar-${++count}`;
			hint.role = 'status';
			hint.ariaLive = 'polite';
			// Inside a label it would become a part of the field's name.
			(field.closest('label') ?? field).after(hint);
			const described = (field.getAttribute('aria-describedby') ?? '').split(/\s+/);
			field.setAttribute('aria-describedby', [...new Set([...described, hint.id])].join(' ').trim());
		}
		return state;
	}

	function clear(field) {
		const state = states.get(field);
		if (!state) return;
		state.abort?.abort();
		state.shown = undefined;
		state.hint.replaceChildren();
		if (state.marked) field.removeAttribute('aria-invalid');
		state.marked = false;
	}

	function take(field, address) {
		// Past the setter that frameworks put on the field, so that they notice the event.
		Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, address);
		for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));
		field.focus();
	}

	function show(field, detail) {
		const { ok, suggestion, reason } = detail;
		const state = stateOf(field);
		const event = new CustomEvent('mailsonar', { bubbles: true, cancelable: true, detail });
		if (!field.dispatchEvent(event)) return;
		if (suggestion) {
			const button = document.createElement('button');
			button.type = 'button';
			button.part = 'mailsonar-button';
			button.textContent = suggestion;
			button.addEventListener('click', () => take(field, suggestion));
			const [before, after = ''] = word('suggestion').split('{}');
			state.hint.replaceChildren(before, button, after);
		} else if (ok === false && word(reason)) state.hint.replaceChildren(word(reason));
		if (ok === false && !field.hasAttribute('aria-invalid')) {
			field.setAttribute('aria-invalid', 'true');
			state.marked = true;
		}
	}

	async function ask(field, email, signal) {
		const proof = token ? { turnstileToken: await window[token]?.(field) } : {};
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', 'X-Public-Key': field.dataset.mailsonar || key },
			body: JSON.stringify({ email, ...proof }),
			credentials: 'omit',
			signal,
		});
		refused = [401, 403, 429].includes(response.status);
		return response.ok ? response.json() : null;
	}

	async function check(field) {
		const email = field.value.trim();
		const state = stateOf(field);
		if (refused || state.shown === email) return;
		clear(field);
		if (!/^[^@\s]+@[^@\s]+\.[^@\s.]+$/.test(email) || field.validity.typeMismatch) return;
		state.shown = email;
		const abort = (state.abort = new AbortController());
		const timer = setTimeout(() => abort.abort(), Number(patience) || 3000);
		try {
			const answer = answers.get(email) ?? (await ask(field, email, abort.signal));
			if (!answer) return;
			answers.set(email, answer);
			await released();
			if (state.abort === abort && field.isConnected && field.value.trim() === email) show(field, answer);
		} catch {
			// We are slow or away: the form works on. The next visit of the field asks again.
			if (state.abort === abort) state.shown = undefined;
		} finally {
			clearTimeout(timer);
		}
	}

	// On the document, so that fields of forms added later are checked, too.
	document.addEventListener('focusin', (event) => {
		const field = fieldOf(event);
		if (field) stateOf(field);
	});
	document.addEventListener('focusout', (event) => {
		const field = fieldOf(event);
		if (field) void check(field);
	});
	document.addEventListener('input', (event) => {
		const field = fieldOf(event);
		if (field && states.get(field)?.shown !== field.value.trim()) clear(field);
	});
})();
