// A form that is sent after the session has ended changes nothing: what was typed waits in this tab, and is in the form
// again after signing in. Files never wait.
const KEY = 'typed';
const SIGN_IN = /^\/dashboard\/sign-in/;
const KEPT = 'input:not([type=hidden], [type=file]), textarea, select';

const isHere = (address) => SIGN_IN.test(new URL(address, location.href).pathname);

try {
	if (!isHere(location.href)) {
		const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
		sessionStorage.removeItem(KEY);
		if (kept?.page === location.pathname && isHere(document.referrer)) fill(kept);
	}
	addEventListener('submit', ({ target }) => {
		if (target.method !== 'post' || isHere(location.href)) return;
		const fields = [...target.querySelectorAll(KEPT)].map((one) => [one.name, one.value, one.checked]);
		const kept = { page: location.pathname, action: target.action, fields };
		if (fields.length > 0) sessionStorage.setItem(KEY, JSON.stringify(kept));
	});
} catch {
	// Storage is switched off, or full: it has to be typed again.
}

function fill({ action, fields }) {
	const form = [...document.forms].find((one) => one.action === action);
	form?.closest('details')?.toggleAttribute('open', true);
	for (const [at, one] of [...(form?.querySelectorAll(KEPT) ?? [])].entries()) {
		const [name, value, checked] = fields[at] ?? [];
		if (one.name !== name) continue;
		if (one.type === 'checkbox' || one.type === 'radio') one.checked = checked;
		else one.value = value;
	}
}
